import { isInterrupted, isTerminal, type TaskState } from '@holdword/protocol';
import { pause } from '@holdword/protocol/internal';
import { UsageError } from '../usage-error.ts';
import type { RecordedEvent } from './recording-format.ts';
import { stateIn } from './task-events.ts';

/** How many times faster than it happened; Infinity without pauses. */
export function readSpeed(given: string | undefined, fallback: number): number {
  if (given === undefined) return fallback;
  if (given === 'max') return Infinity;
  const speed = /^\d{1,6}(\.\d{1,3})?$/.test(given) ? Number(given) : 0;
  if (speed > 0) return speed;
  throw new UsageError(`--speed: expected a number such as 1 or 10, or max, found "${given.slice(0, 40)}".`);
}

export const SPEED_OPTION = {
  value: 'FACTOR',
  description: 'How fast: 1 as it happened, 10 ten times as fast, max without pauses',
} as const;

/** Nobody wants to wait as long as the user took to answer. */
const MOST_IDLE_MILLISECONDS = 2_000;
/** Events without a time that are held until the next one that has one. */
const MOST_HELD = 1_000;

/**
 * The events with the pauses that were between them. Events without a time of their own, such as the chunks of an artifact, are
 * spread evenly between those before and after them.
 */
export async function* paced(
  events: AsyncIterable<RecordedEvent>,
  speed: number,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent, void, undefined> {
  if (speed === Infinity) {
    yield* events;
    return;
  }
  let held: RecordedEvent[] = [];
  let last: number | undefined;
  let wasAtRest = false;
  for await (const event of events) {
    held.push(event);
    const time = event.time === undefined ? undefined : Date.parse(event.time);
    if (time === undefined && held.length < MOST_HELD) continue;
    const passed = last === undefined || time === undefined ? 0 : Math.max(0, time - last);
    const between = wasAtRest ? Math.min(passed, MOST_IDLE_MILLISECONDS) : passed;
    for (const each of held) {
      if (between > 0) await pause(between / held.length / speed, signal);
      if (signal.aborted) return;
      yield each;
      wasAtRest = isAtRest(each) ?? wasAtRest;
    }
    if (time !== undefined) last = time;
    held = [];
  }
  yield* held;
}

/** Whether nobody works on the task after the event. Undefined if the event does not say. */
function isAtRest({ event }: RecordedEvent): boolean | undefined {
  const state = stateIn(event) as TaskState | undefined;
  return state && (isInterrupted(state) || isTerminal(state));
}
