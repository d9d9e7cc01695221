import { hasErrorCode } from '@holdword/protocol/internal';
import type { AnyArtifact } from '../llm/for-llm.ts';

/**
 * Stores the files of artifacts. Implement it to use another backend, for example object storage.
 *
 * @example
 * ```ts
 * import type { AnyArtifact, FileStore } from '@holdword/client';
 *
 * export class NamesOnlyFileStore implements FileStore {
 *   readonly #names = new Map<string, string[]>();
 *
 *   async save(taskId: string, artifact: AnyArtifact): Promise<string[]> {
 *     const names = artifact.parts.flatMap((part) => ('filename' in part && part.filename ? [part.filename] : []));
 *     this.#names.set(`${taskId}/${artifact.artifactId}`, names);
 *     return names;
 *   }
 *
 *   async get(taskId: string, artifactId: string): Promise<string[]> {
 *     return this.#names.get(`${taskId}/${artifactId}`) ?? [];
 *   }
 *
 *   async delete(taskId: string, artifactId: string): Promise<void> {
 *     this.#names.delete(`${taskId}/${artifactId}`);
 *   }
 * }
 * ```
 */
export interface FileStore {
  /** Saves the file parts of an artifact, replacing earlier files, and returns their locations in the order of the parts. */
  save(taskId: string, artifact: AnyArtifact): Promise<string[]>;
  /** Returns the locations of the saved files of an artifact; empty if there are none. */
  get(taskId: string, artifactId: string): Promise<string[]>;
  /** Deletes the saved files of an artifact. */
  delete(taskId: string, artifactId: string): Promise<void>;
}

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
  return hasErrorCode(error, 'FILES_NOT_SAVED');
}

/** Why a file could not be saved. The message is a clause that continues "could not be saved because". */
export class FileProblem extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'FileProblem';
  }
}
