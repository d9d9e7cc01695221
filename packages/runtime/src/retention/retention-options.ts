/** Which ended tasks are removed. By default, none. */
export interface RetentionOptions {
  /** Removes tasks that ended longer ago than this. */
  maxAgeHours?: number;
  /** Keeps only this many ended tasks of every owner, the newest ones. */
  maxEndedTasks?: number;
  /** Replaces the events of a task that ended longer ago than this by the task in its final state. */
  compactAfterHours?: number;
  /**
   * Removes what other components keep about a task. Returns false while they need the task, which is then kept. Called
   * before the task is removed, and again if that fails.
   */
  alsoForget?: (taskId: string) => Promise<boolean>;
}
