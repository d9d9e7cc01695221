import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a server by `MeasuredUsage`: on SIGUSR2 it prints its CPU time, collects garbage and prints its memory usage. */
if (isMainThread) {
  // Otherwise megabytes of compiled code are dropped in one of the first collections and hide a leak.
  setFlagsFromString('--no-flush-bytecode');
  let reports = 0;
  // The collection itself is not measured.
  let collecting = 0;
  process.on('SIGUSR2', () => {
    const spent = processorTime() - collecting;
    void report((reports += 1), spent).then(() => (collecting = processorTime() - spent));
  });
}

async function report(number: number, spent: number): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    // Objects with a finalizer are freed only after it has run.
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write(`usage ${number}: ${heapUsed + external} bytes, ${spent} microseconds\n`);
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
