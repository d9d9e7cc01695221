import type { Task } from '@holdword/protocol';
import { TaskFold } from './task-fold.ts';

/** The snapshot of a task as stores keep it, for tasks that come from another system. */
export function taskToSnapshot(task: Task): string {
  return new TaskFold(task).toSnapshot();
}
