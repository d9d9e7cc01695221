import { setImmediate } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * Resolves after other work of the process had its turn. For work in long steps, such as reading large tasks, which waits here
 * between two of them: of all that wait, one goes on in each turn of the event loop, so that whoever needs a moment waits for one
 * step of one of them, however many there are.
 */
export function afterOtherWork(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
