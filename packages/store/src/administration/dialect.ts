/** Where the two databases that speak SQL differ. */
export interface Dialect {
  /** The rows of all journals, with `task`, `first_sequence`, `last_sequence` and `lines`. */
  readonly journal: string;
  /** A line break. */
  readonly newline: string;
  /** Milliseconds since the epoch. */
  readonly now: string;
}

/** Runs a statement and gives its rows. */
export type Select = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
