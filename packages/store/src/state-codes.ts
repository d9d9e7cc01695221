import type { TaskState } from '@holdword/protocol';
import { corrupt } from './rejections.ts';

/** Stored on disk: the meaning of a code never changes. */
const CODES: Readonly<Record<TaskState, number>> = {
  TASK_STATE_SUBMITTED: 1,
  TASK_STATE_WORKING: 2,
  TASK_STATE_COMPLETED: 3,
  TASK_STATE_FAILED: 4,
  TASK_STATE_CANCELED: 5,
  TASK_STATE_INPUT_REQUIRED: 6,
  TASK_STATE_REJECTED: 7,
  TASK_STATE_AUTH_REQUIRED: 8,
};

const STATES = new Map<number, TaskState>();
for (const state of Object.keys(CODES).filter(isTaskState)) STATES.set(CODES[state], state);

export const ALL_STATE_CODES: readonly number[] = Object.values(CODES);

export function stateToCode(state: TaskState): number {
  return CODES[state];
}

export function codeToState(code: number): TaskState {
  const state = STATES.get(code);
  if (state === undefined) throw corrupt('the database', `it contains the unknown task state ${code}`);
  return state;
}

function isTaskState(name: string): name is TaskState {
  return Object.hasOwn(CODES, name);
}
