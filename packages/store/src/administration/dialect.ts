/** Where the two SQL dialects differ. */
export interface Dialect {
  /** The rows of all journals, with `task`, `first_sequence`, `last_sequence` and `lines`. */
  readonly journal: string;
  /** A line break as an expression. */
  readonly newline: string;
  /** The current time in milliseconds since the epoch. */
  readonly now: string;
}

/** Runs a statement and returns its rows. */
export type Select = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
