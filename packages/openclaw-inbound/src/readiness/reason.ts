/** Why an account is unreachable: a code for programs and a message that says what to do. */
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

/** All reasons as one string, each with its code. */
export function describeReasons(reasons: readonly Reason[]): string {
  return reasons.map(({ code, message }) => `${code}: ${message}`).join(' ');
}
