/** Why a store rejected a call. Only `unavailable` is worth a retry. */
export type StoreErrorCode =
  /** The task does not exist. */
  | 'unknown-task'
  /** The lease was acquired again since: this writer has lost the task. */
  | 'stale-fence'
  /** The events do not follow the last committed one, or the new task already exists. */
  | 'sequence-conflict'
  /** The data cannot be stored as it is. */
  | 'invalid-entry'
  /** Another process serves the data folder. */
  | 'in-use'
  /** A newer version has written the data. */
  | 'newer-version'
  /** The data is damaged or belongs to another program. */
  | 'corrupt'
  /** The store was closed. */
  | 'closed'
  /** The disk or the database server cannot be used right now. */
  | 'unavailable';

/**
 * An error reported by a store; `code` says which one. Check for it with `isStoreError`, not with `instanceof`: a host may
 * load several copies of this class.
 *
 * @example
 * ```ts
 * throw new StoreError('unavailable', 'The database does not respond.');
 * ```
 */
export class StoreError extends Error {
  /** Says which error it is. */
  readonly code: StoreErrorCode;
  /** The store is unavailable because its disk has no space left. */
  readonly isDiskFull: boolean;

  constructor(code: StoreErrorCode, message: string, options: ErrorOptions & { isDiskFull?: boolean } = {}) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
    this.isDiskFull = options.isDiskFull ?? false;
  }
}

/**
 * Whether an error comes from a store.
 *
 * @example
 * ```ts
 * try {
 *   await openSqliteStore({ folder: '.holdword' });
 * } catch (error) {
 *   if (!isStoreError(error)) throw error;
 *   console.error(error.code === 'in-use' ? 'Another server uses this folder.' : error.message);
 * }
 * ```
 */
export function isStoreError(error: unknown): error is StoreError {
  return error instanceof Error && error.name === 'StoreError' && 'code' in error;
}
