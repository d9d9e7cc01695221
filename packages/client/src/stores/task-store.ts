import type { V03Task } from '@holdword/protocol';

/**
 * Stores the tasks that a session has seen, as the session returns them: with a `kind` and states in lower case. Implement it to
 * use another backend.
 *
 * @example
 * ```ts
 * import type { TaskStore, V03Task } from '@holdword/client';
 *
 * export class MapTaskStore implements TaskStore {
 *   readonly #tasks = new Map<string, V03Task>();
 *
 *   async save(task: V03Task): Promise<void> {
 *     this.#tasks.set(task.id, task);
 *   }
 *
 *   async load(taskId: string): Promise<V03Task | undefined> {
 *     return this.#tasks.get(taskId);
 *   }
 * }
 * ```
 */
export interface TaskStore {
  /** Saves a task, replacing one with the same id. Resolves when it is stored durably. */
  save(task: V03Task): Promise<void>;
  /** Returns a task, or undefined if it is not stored. */
  load(taskId: string): Promise<V03Task | undefined>;
  /** Deletes a task, if it is stored. */
  delete?(taskId: string): Promise<void>;
  /**
   * What a session has to remember besides tasks: which agent a task belongs to, where to resume, and messages without a
   * response. Without it, a session remembers that until the process ends.
   */
  readonly notes?: NoteStore | undefined;
  /**
   * Folder for contents that are too large for memory, so that a stored task keeps them. It counts unless the agents have a
   * `largePartsFolder`; the first session of the agents decides. Without it, stored tasks lose such contents when the agents are
   * closed.
   */
  readonly largePartsFolder?: string | undefined;
}

/** Stores short strings by key. */
export interface NoteStore {
  /** Returns a note, or undefined if it is not stored. */
  read(key: string): Promise<string | undefined>;
  /** Writes a note, replacing one with the same key. Resolves when it is stored durably. */
  write(key: string, note: string): Promise<void>;
  /** Removes a note, if it is stored. */
  remove(key: string): Promise<void>;
  /** Returns all notes. Without it, notes that are left over after a crash are not removed. */
  list?(): Promise<string[]>;
}
