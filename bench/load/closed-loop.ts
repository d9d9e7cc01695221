import { Connection } from './connection.ts';

export interface LoopResult {
  /** Units per second over the whole run, to the end of the last exchange. */
  perSecond: number;
  /** Milliseconds of each exchange, ascending. */
  latencies: Float64Array;
}

export interface LoopOptions {
  url: URL;
  connections: number;
  seconds: number;
  /** One request and its verified answer; tells how many units (requests, events) it was worth. */
  exchange: (connection: Connection) => Promise<number>;
}

/**
 * Keeps every connection busy with one exchange after another. When the time is up, exchanges in flight are read to their
 * end and both they and their time count: a server cannot look fast by leaving work undone.
 */
export async function closedLoop(options: LoopOptions): Promise<LoopResult> {
  const connections = await Promise.all(
    Array.from({ length: options.connections }, () => Connection.open(options.url)),
  );
  try {
    const latencies: number[] = [];
    let units = 0;
    const start = performance.now();
    const deadline = start + options.seconds * 1000;
    const work = async (connection: Connection): Promise<void> => {
      for (let now = performance.now(); now < deadline;) {
        const exchangeStart = now;
        const worth = await options.exchange(connection);
        units += worth;
        now = performance.now();
        latencies.push(now - exchangeStart);
      }
    };
    await Promise.all(connections.map(work));
    const elapsedSeconds = (performance.now() - start) / 1000;
    return { perSecond: units / elapsedSeconds, latencies: Float64Array.from(latencies).toSorted() };
  } finally {
    for (const connection of connections) connection.close();
  }
}
