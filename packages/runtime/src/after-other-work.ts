import { setImmediate, setTimeout } from 'node:timers/promises';
import { latestRequestAt } from './observe/observer.ts';

/** A request is answered within this time, unless it waits for something. */
const RECENT_MILLISECONDS = 100;
/** How long the pauses are, relative to the steps. */
const PAUSE = 2;
const SHORTEST_PAUSE_MILLISECONDS = 1;
const LONGEST_PAUSE_MILLISECONDS = 100;

let last: Promise<void> = Promise.resolve();
/** Of the steps since the last pause. */
let stepsMilliseconds = 0;

/**
 * Resolves after other work of the process had its turn. For work in long steps, such as reading large tasks, which waits here
 * between two of them: of all that wait, one goes on in each turn of the event loop, so that other work waits for one
 * step of one of them, however many there are.
 *
 * A request takes several turns: it is read, committed, carried out, committed and answered. So that it does not meet a step in
 * each of them, all that wait pause for a multiple of the last steps while requests arrive.
 */
export function afterOtherWork(): Promise<void> {
  last = last.then(otherWork);
  return last;
}

async function otherWork(): Promise<void> {
  await setImmediate();
  const pause = Math.min(stepsMilliseconds * PAUSE, LONGEST_PAUSE_MILLISECONDS);
  if (pause >= SHORTEST_PAUSE_MILLISECONDS) {
    stepsMilliseconds = 0;
    if (performance.now() - latestRequestAt < RECENT_MILLISECONDS) await setTimeout(pause);
  }
  measureStep();
}

/** Measures the step that runs now, with all that follows from it before the event loop continues. */
function measureStep(): void {
  const startedAt = performance.now();
  process.nextTick(() => (stepsMilliseconds += performance.now() - startedAt));
}
