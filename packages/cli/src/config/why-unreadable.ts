import { errorCode } from '@holdword/protocol/internal';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

/** Why a file could not be read, as the end of a sentence. */
export function whyUnreadable(error: unknown): string {
  if (error instanceof SyntaxError) return 'it is not valid JSON';
  return REASONS[errorCode(error) ?? ''] ?? 'it cannot be opened';
}
