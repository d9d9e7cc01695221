import type { TaskState } from '@holdword/protocol';

/**
 * What an operator can do with a database, even while servers are using it. Nothing here changes a task. All methods reject
 * with a StoreError.
 */
export interface Administration {
  /** Migrates the tables to the version of this program. Several processes may do so at once. */
  migrate(): Promise<{ from: number; to: number }>;
  /** The version of the tables, 0 if there are none, and the version this program works with. */
  version(): Promise<{ found: number; current: number }>;
  /** Counts tasks, events, sizes and processes. */
  status(): Promise<StoreStatus>;
  /** Reads all data and verifies it. */
  check(): Promise<CheckResult>;
  close(): Promise<void>;
}

/** What a database contains, as counted at one moment. */
export interface StoreStatus {
  tasks: { state: TaskState; count: number }[];
  events: number;
  sizes: { name: string; bytes: number }[];
  /** Processes that have sent a heartbeat; those whose `secondsLeft` is positive are alive. */
  processes: { id: string; secondsLeft: number; heldTasks: number }[];
}

/** What a check has found. */
export interface CheckResult {
  /** Violated invariants. */
  damage: Finding[];
  /** Conditions worth knowing that a running server resolves. */
  notices: Finding[];
}

/** One kind of problem, with examples. */
export interface Finding {
  what: string;
  /** The first 100 affected tasks or owners. */
  subjects: string[];
}
