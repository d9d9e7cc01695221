import type { Task } from '@holdword/protocol';
import { TaskFold } from './task-fold.ts';

/** A task as stores keep its snapshot, for tasks that come from elsewhere. */
export function taskToSnapshot(task: Task): string {
  return new TaskFold(task).toSnapshot();
}
