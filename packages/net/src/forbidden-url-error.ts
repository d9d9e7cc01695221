/** A URL that must not be called. The message is a clause that continues "the URL is not allowed because". */
export class ForbiddenUrlError extends Error {
  readonly code = 'FORBIDDEN_URL';

  constructor(reason: string) {
    super(reason);
    this.name = 'ForbiddenUrlError';
  }
}

/** Works across several copies of this package. */
export function isForbiddenUrlError(error: unknown): error is ForbiddenUrlError {
  return error instanceof Error && 'code' in error && error.code === 'FORBIDDEN_URL';
}
