import type { Task } from '@holdword/protocol';

/** Where a session keeps the tasks it has seen, as the JSON of A2A 1.0. Implement it to keep them elsewhere. */
export interface TaskStore {
  /** Resolves when the task is kept; one with the same id is replaced. */
  save(task: Task): Promise<void>;
  load(taskId: string): Promise<Task | undefined>;
  /** Does nothing when there is no such task. */
  delete?(taskId: string): Promise<void>;
}
