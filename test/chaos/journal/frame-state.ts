import { isInterrupted, isTerminal, type StreamResponse, type TaskState } from '@holdword/protocol';
import type { EventFrame } from '../wire/client.ts';

export function eventOf(frame: EventFrame): StreamResponse {
  return JSON.parse(frame.json) as StreamResponse;
}

/** The state in an event, if it has one. Artifacts, by far the most frequent, are not parsed. */
export function stateOf(frame: EventFrame): TaskState | undefined {
  if (frame.json.startsWith('{"artifactUpdate"')) return undefined;
  const event = eventOf(frame);
  if ('statusUpdate' in event) return event.statusUpdate.status.state;
  return 'task' in event ? event.task.status.state : undefined;
}

/** The state after the last of these events. */
export function lastStateOf(frames: readonly EventFrame[]): TaskState | undefined {
  const last = frames.findLast((frame) => stateOf(frame) !== undefined);
  return last && stateOf(last);
}

/** Whether the task has ended or waits for its user. */
export function isSettled(state: TaskState): boolean {
  return isTerminal(state) || isInterrupted(state);
}
