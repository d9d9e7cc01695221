import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a server by `MeasuredMemory`: at SIGUSR2 it collects all garbage and prints what is left in use. */
if (isMainThread) {
  // Otherwise several megabytes of compiled code go in one of the first collections, and hide what was kept meanwhile.
  setFlagsFromString('--no-flush-bytecode');
  let reports = 0;
  process.on('SIGUSR2', () => void report((reports += 1)));
}

async function report(number: number): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    // What waits for a finalizer is free only after it.
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write(`memory ${number}: ${heapUsed + external} bytes\n`);
}
