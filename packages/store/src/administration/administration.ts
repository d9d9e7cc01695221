import type { TaskState } from '@holdword/protocol';

/**
 * What an operator does with a database, beside the servers that use it. Nothing here changes a task. Rejects with a
 * StoreError.
 */
export interface Administration {
  /** Brings the tables to the version of this program. Several may do so at once. */
  migrate(): Promise<{ from: number; to: number }>;
  /** The version of the tables, 0 if there are none, and the one this program works with. */
  version(): Promise<{ found: number; current: number }>;
  status(): Promise<StoreStatus>;
  check(): Promise<CheckResult>;
  close(): Promise<void>;
}

export interface StoreStatus {
  tasks: { state: TaskState; count: number }[];
  events: number;
  sizes: { name: string; bytes: number }[];
  /** Processes that have said that they live. */
  processes: { id: string; secondsLeft: number; heldTasks: number }[];
}

export interface CheckResult {
  /** What must not be. */
  damage: Finding[];
  /** What is worth knowing, and passes when a server runs. */
  notices: Finding[];
}

export interface Finding {
  what: string;
  /** The tasks or owners it was found at, no more than some. */
  subjects: string[];
}
