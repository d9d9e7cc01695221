/**
 * The `code` of an error, if it has one: `ENOENT`, `TASK_NOT_FOUND`. Errors are recognized by it, not by their class, because
 * a host such as OpenClaw may load several copies of a package.
 */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether an error has one of these codes. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): error is Error & { code: string } {
  const code = errorCode(error);
  return code !== undefined && codes.includes(code);
}
