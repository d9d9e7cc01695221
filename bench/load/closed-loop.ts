import type { Connection } from './connection.ts';
import { openConnections } from './open-connections.ts';

/** One request and its verified answer; tells how many units (requests, events) it was worth. */
export type Exchange = (connection: Connection) => Promise<number>;

export interface LoopOptions {
  url: URL;
  connections: number;
  /** Asked before each exchange whether there shall be one more. */
  goOn: () => boolean;
  exchange: Exchange;
}

export interface LoopResult {
  /** Units per second over the whole run, to the end of the last exchange. */
  perSecond: number;
  /** Milliseconds of each exchange, ascending. */
  latencies: Float64Array;
}

/**
 * Keeps every connection busy with one exchange after another. When it shall go on no longer, exchanges in flight are read
 * to their end, and both they and their time count: a server cannot look fast by leaving work undone.
 */
export async function closedLoop(options: LoopOptions): Promise<LoopResult> {
  using connections = await openConnections(options.url, options.connections);
  const latencies: number[] = [];
  let units = 0;
  const work = async (connection: Connection): Promise<void> => {
    while (options.goOn()) {
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

/** Goes on for a time that begins with the first exchange. */
export function forSeconds(seconds: number): () => boolean {
  let deadline: number | undefined;
  return () => {
    const now = performance.now();
    deadline ??= now + seconds * 1000;
    return now < deadline;
  };
}

/** Goes on until all connections together have begun so many exchanges. */
export function forExchanges(count: number): () => boolean {
  let left = count;
  return () => left-- > 0;
}
