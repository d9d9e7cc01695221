import { closedLoop, type Exchange, type LoopResult } from './closed-loop.ts';

export interface SpreadLoopOptions {
  urls: readonly URL[];
  /** In all; every server gets as many as the others. */
  connections: number;
  goOn: () => boolean;
  exchange: (url: URL) => Exchange;
}

/** One closed loop over several servers at once, as behind a load balancer that gives each its share. */
export async function spreadLoop({
  urls,
  connections,
  goOn,
  exchange,
}: SpreadLoopOptions): Promise<LoopResult> {
  const share = Math.ceil(connections / urls.length);
  const results = await Promise.all(
    urls.map((url) => closedLoop({ url, connections: share, goOn, exchange: exchange(url) })),
  );
  return {
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    latencies: Float64Array.from(results.flatMap(({ latencies }) => [...latencies])).toSorted(),
  };
}
