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

/** All of them as one text, each with its name. */
export function describeReasons(reasons: readonly Reason[]): string {
  return reasons.map(({ code, message }) => `${code}: ${message}`).join(' ');
}
