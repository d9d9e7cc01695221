/** Why a file could not be read, as the end of a sentence. */
export function whyUnreadable(error: unknown): string {
  if (error instanceof SyntaxError) return 'it is not valid JSON';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EISDIR') return 'it is a folder';
  return code === 'EACCES' ? 'permission denied' : 'it cannot be opened';
}
