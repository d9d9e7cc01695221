import type { Task } from '@holdword/protocol';

/**
 * Stores the tasks that a session has seen, as JSON of A2A 1.0. Implement it to use another backend. A session also stores
 * messages that are not answered yet, as tasks whose ids start with `unanswered-`.
 */
export interface TaskStore {
  /** Saves a task, replacing one with the same id. Resolves when it is stored durably. */
  save(task: Task): Promise<void>;
  /** Returns a task, or undefined if it is not stored. */
  load(taskId: string): Promise<Task | undefined>;
  /** Deletes a task, if it is stored. */
  delete?(taskId: string): Promise<void>;
}
