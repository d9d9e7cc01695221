/** What went wrong, as a person is told it: what, and what to do next. */
export interface Problem {
  readonly title: string;
  readonly advice?: string | undefined;
}

/** An answer of the server that is no success. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly advice: string | undefined;

  constructor(status: number, code: string, message: string, advice?: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.advice = advice;
  }
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return { title: error.message, advice: error.advice };
  if (error instanceof TypeError)
    return {
      title: 'The server does not answer.',
      advice: 'Check that it is running; this page keeps trying.',
    };
  return { title: error instanceof Error ? error.message : String(error) };
}
