/** What is forgotten of tasks that have ended. Nothing, unless something is said here. */
export interface RetentionOptions {
  /** Tasks that ended longer ago than this are removed. */
  maxAgeHours?: number;
  /** Of every owner the newest tasks that have ended are kept, as many as this. */
  maxEndedTasks?: number;
  /** The events of a task that ended longer ago than this are replaced by the task as it stands. */
  compactAfterHours?: number;
  /**
   * Forgets what others keep of a task; false while they need the task, which is then kept. Called before it is removed, and
   * again if that fails.
   */
  alsoForget?: (taskId: string) => Promise<boolean>;
}
