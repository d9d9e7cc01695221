/** Why an account cannot be reached: a name for programs, and a sentence that says what to do. */
export interface Reason {
  readonly code:
    | 'config-invalid'
    | 'public-base-url-missing'
    | 'path-conflict'
    | 'store-in-use'
    | 'store-unusable'
    | 'start-failed';
  readonly message: string;
}
