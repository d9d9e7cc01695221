import type { TaskState } from '@holdword/protocol';

const DONE: ReadonlySet<TaskState> = new Set([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
]);

/** Whether a successor can continue: the task has not ended, or it has failed and a new task can replace it. */
export function isUnfinished(state: TaskState): boolean {
  return !DONE.has(state);
}
