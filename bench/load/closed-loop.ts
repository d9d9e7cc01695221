import type { Connection } from './connection.ts';
import { openConnections } from './open-connections.ts';

/** One request and its verified response; returns how many units (requests, events) it counts. */
export type Exchange = (connection: Connection) => Promise<number>;

export interface LoopOptions {
  url: URL;
  connections: number;
  /** Called before each exchange: whether to start another one. */
  shouldContinue: () => boolean;
  exchange: Exchange;
}

export interface LoopResult {
  /** Units per second over the whole run, to the end of the last exchange. */
  perSecond: number;
  /** Milliseconds of each exchange, ascending. */
  latencies: Float64Array;
}

/**
 * Keeps every connection busy with one exchange after another. At the end, exchanges in flight are completed, and both they
 * and their time count: a server cannot look fast by leaving work undone.
 */
export async function closedLoop(options: LoopOptions): Promise<LoopResult> {
  using connections = await openConnections(options.url, options.connections);
  const latencies: number[] = [];
  let units = 0;
  const work = async (connection: Connection): Promise<void> => {
    while (options.shouldContinue()) {
      const exchangeStart = performance.now();
      const worth = await options.exchange(connection);
      units += worth;
      latencies.push(performance.now() - exchangeStart);
    }
  };
  const start = performance.now();
  await Promise.all(connections.open.map(work));
  const elapsedSeconds = (performance.now() - start) / 1000;
  return { perSecond: units / elapsedSeconds, latencies: Float64Array.from(latencies).toSorted() };
}

/** Continues for a time that starts with the first exchange. */
export function forSeconds(seconds: number): () => boolean {
  let deadline: number | undefined;
  return () => {
    const now = performance.now();
    deadline ??= now + seconds * 1000;
    return now < deadline;
  };
}

/** Continues until all connections together have started `count` exchanges. */
export function forExchanges(count: number): () => boolean {
  let left = count;
  return () => left-- > 0;
}
