import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const SAMPLE_MILLISECONDS = 2;
const WATCHER = `
  const { workerData: shared } = require('node:worker_threads');
  const peak = new Float64Array(shared, 8);
  const control = new Int32Array(shared, 0, 1);
  do peak[0] = Math.max(peak[0], process.memoryUsage.rss());
  while (Atomics.wait(control, 0, 0, ${SAMPLE_MILLISECONDS}) === 'timed-out');
`;

/**
 * The peak memory of the work beyond what the process used before: a second thread samples the resident memory while the work
 * blocks the first one. Needs `--expose-gc`.
 */
export async function extraBytes(work: () => unknown): Promise<number> {
  const shared = new SharedArrayBuffer(16);
  const control = new Int32Array(shared, 0, 1);
  const peak = new Float64Array(shared, 8);
  const watcher = new Worker(WATCHER, { eval: true, workerData: shared });
  await once(watcher, 'online');
  globalThis.gc?.({ execution: 'sync', flavor: 'last-resort' });
  const before = process.memoryUsage.rss();
  peak[0] = before;
  work();
  Atomics.store(control, 0, 1);
  Atomics.notify(control, 0);
  await once(watcher, 'exit');
  return Math.max(peak[0] ?? 0, process.memoryUsage.rss()) - before;
}
