import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a server by `MeasuredUsage`: at SIGUSR2 it prints the time that it has spent on processors, collects all
 * garbage and prints what is left in use.
 */
if (isMainThread) {
  // Otherwise several megabytes of compiled code go in one of the first collections, and hide what was kept meanwhile.
  setFlagsFromString('--no-flush-bytecode');
  let reports = 0;
  // A collection is not among the work that is measured.
  let collecting = 0;
  process.on('SIGUSR2', () => {
    const spent = processorTime() - collecting;
    void report((reports += 1), spent).then(() => (collecting = processorTime() - spent));
  });
}

async function report(number: number, spent: number): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    // What waits for a finalizer is free only after it.
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write(`usage ${number}: ${heapUsed + external} bytes, ${spent} microseconds\n`);
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
