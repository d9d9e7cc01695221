import { closedLoop, type Exchange, type LoopResult } from './closed-loop.ts';

export interface SpreadLoopOptions {
  urls: readonly URL[];
  /** In total; every server gets the same share. */
  connections: number;
  shouldContinue: () => boolean;
  exchange: (url: URL) => Exchange;
}

/** One closed loop over several servers, like behind a load balancer that distributes evenly. */
export async function spreadLoop({
  urls,
  connections,
  shouldContinue,
  exchange,
}: SpreadLoopOptions): Promise<LoopResult> {
  const share = Math.ceil(connections / urls.length);
  const results = await Promise.all(
    urls.map((url) => closedLoop({ url, connections: share, shouldContinue, exchange: exchange(url) })),
  );
  return {
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    latencies: Float64Array.from(results.flatMap(({ latencies }) => [...latencies])).toSorted(),
  };
}
