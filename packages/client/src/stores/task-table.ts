/**
 * Where a task store keeps its tasks: texts by scope and id. Responsible for taking any id and any scope and for keeping
 * them apart; leaves to the store what the texts mean.
 */
export interface TaskTable {
  read(scope: string, taskId: string): Promise<string | undefined>;
  /** Resolves when the text is kept as durably as the table can. */
  write(scope: string, taskId: string, json: string): Promise<void>;
  remove(scope: string, taskId: string): Promise<void>;
  list(scope: string): Promise<string[]>;
}

/** The scope of tasks that belong to nobody in particular. */
export const NO_SCOPE = '';
