export type StoreErrorCode =
  | 'unknown-task'
  | 'stale-fence'
  | 'sequence-conflict'
  | 'invalid-entry'
  | 'in-use'
  | 'newer-version'
  | 'corrupt'
  | 'closed'
  | 'unavailable';

/** A failure of a store. Recognise it with `isStoreError`: a host may hold several copies of this class. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

export function isStoreError(error: unknown): error is StoreError {
  return error instanceof Error && error.name === 'StoreError' && 'code' in error;
}
