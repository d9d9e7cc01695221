/**
 * The backend of a task store: strings by scope and id. Responsible for accepting any id and scope without collisions.
 * Leaves the meaning of the strings to the store.
 */
export interface TaskTable {
  read(scope: string, taskId: string): Promise<string | undefined>;
  /** Resolves when the string is stored as durably as the backend can. */
  write(scope: string, taskId: string, json: string): Promise<void>;
  remove(scope: string, taskId: string): Promise<void>;
  list(scope: string): Promise<string[]>;
}

/** The scope of tasks without a tenant or user. */
export const NO_SCOPE = '';
