import type { TaskState } from '@holdword/protocol';

/** The states of a task that has not ended. */
export const OPEN_STATES: readonly TaskState[] = [
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
  'TASK_STATE_WORKING',
  'TASK_STATE_SUBMITTED',
];
