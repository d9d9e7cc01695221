import { isInterrupted, isTerminal, type TaskState } from '@holdword/protocol';
import type { Client, EventFrame } from '../wire/client.ts';
import { lastStateOf, stateOf } from './frame-state.ts';

/**
 * All events of a settled task, read from the start in one stream. The stream of a task that waits for its user stays open:
 * reading stops at the state in which the task waits.
 */
export async function replay(client: Client, taskId: string, settledAt: TaskState): Promise<EventFrame[]> {
  const frames: EventFrame[] = [];
  for await (const frame of client.subscribe(taskId, 0)) {
    frames.push(frame);
    const state = stateOf(frame);
    if (state !== undefined && isInterrupted(state) && state === settledAt) return frames;
  }
  const state = lastStateOf(frames);
  if (state === undefined || !isTerminal(state)) {
    throw new Error(`The replay of task ${taskId} ended at ${state ?? 'no state'}, before the task's end.`);
  }
  return frames;
}
