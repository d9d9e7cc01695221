/** A file that could not be saved. */
export interface UnsavedFile {
  /** The agent's name for the file, if any. */
  readonly name: string | null;
  readonly reason: string;
}

/**
 * Thrown if some files of an artifact could not be saved; the others are saved.
 *
 * @example
 * ```ts
 * throw new FilesNotSavedError([], [{ name: 'report.pdf', reason: 'the disk is full' }]);
 * ```
 */
export class FilesNotSavedError extends Error {
  readonly code = 'FILES_NOT_SAVED';
  readonly savedPaths: readonly string[];
  readonly unsaved: readonly UnsavedFile[];

  constructor(savedPaths: readonly string[], unsaved: readonly UnsavedFile[]) {
    const each = unsaved.map(
      ({ name, reason }) => `${name === null ? 'A file' : `"${name}"`} could not be saved because ${reason}.`,
    );
    super(each.join(' '));
    this.name = 'FilesNotSavedError';
    this.savedPaths = savedPaths;
    this.unsaved = unsaved;
  }
}

/**
 * Whether an error is a {@link FilesNotSavedError}, even from another copy of this package.
 *
 * @example
 * ```ts
 * function savedPaths(error: unknown): readonly string[] {
 *   return isFilesNotSavedError(error) ? error.savedPaths : [];
 * }
 * ```
 */
export function isFilesNotSavedError(error: unknown): error is FilesNotSavedError {
  return error instanceof Error && 'code' in error && error.code === 'FILES_NOT_SAVED';
}
