import { isTerminal, type StreamResponse, type TaskState } from '@holdword/protocol';
import { stateOf } from '../../journal/frame-state.ts';
import { messageRequest } from '../message-request.ts';
import { nextClient, isTransient, retryUntilAnswered, type Scenario } from '../load-context.ts';

/** Reads a stream of chunks. If it breaks, half of the readers reconnect with their cursor until the task ends. */
export const count: Scenario = async (context) => {
  const { ledger, random } = context;
  const label = context.nextLabel();
  const target = random.chance(0.1) ? random.integer(1_000, 4_000) : random.integer(1, 300);
  const client = await nextClient(context);
  let taskId: string | undefined;
  let cursor = 0;
  let state: TaskState | undefined;
  try {
    for await (const frame of client.stream(messageRequest(`count to ${target} #${label}`, label))) {
      taskId ??= (JSON.parse(frame.json) as Extract<StreamResponse, { task: unknown }>).task.id;
      ledger.event(taskId, frame);
      cursor = frame.sequence;
      state = stateOf(frame) ?? state;
    }
  } catch (error) {
    if (!isTransient(context, error) || taskId === undefined || random.chance(0.5)) throw error;
    const id = taskId;
    await retryUntilAnswered(context, async (next) => {
      const resumedAt = cursor;
      for await (const frame of next.subscribe(id, resumedAt)) {
        if (frame.sequence <= resumedAt) continue;
        ledger.event(id, frame);
        cursor = frame.sequence;
        state = stateOf(frame) ?? state;
      }
    });
  }
  if (state === undefined || !isTerminal(state)) {
    ledger.violations.push(`the stream of task ${taskId} ended normally at ${state ?? 'no state'}`);
  }
};
