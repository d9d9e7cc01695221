import type { V03Artifact } from '@holdword/protocol';
import { hasErrorCode, shorten } from '@holdword/protocol/internal';
import { formatCount } from '../artifacts/shorten.ts';
import type { UnsavedFile } from '../llm/part-content.ts';

/**
 * Stores the files of artifacts. Implement it to use another backend, for example object storage. Artifacts have the shape that
 * sessions return: a file is a part with the `kind` `file`, and has `bytes` in base64 or a `uri`.
 *
 * @example
 * ```ts
 * import type { FileStore, V03Artifact } from '@holdword/client';
 *
 * export class NamesOnlyFileStore implements FileStore {
 *   readonly #names = new Map<string, string[]>();
 *
 *   async save(taskId: string, artifact: V03Artifact): Promise<string[]> {
 *     const names = artifact.parts.flatMap((part) => (part.kind === 'file' ? [part.file.name ?? 'file'] : []));
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
  /**
   * Saves the file parts of an artifact, replacing earlier files, and returns their locations in the order of the parts. The
   * files of a message arrive as those of an artifact with the id `_message`.
   */
  save(taskId: string, artifact: V03Artifact, context?: SaveFilesContext): Promise<string[]>;
  /** Returns the locations of the saved files of an artifact; empty if there are none. */
  get(taskId: string, artifactId: string): Promise<string[]>;
  /** Deletes the saved files of an artifact. */
  delete(taskId: string, artifactId: string): Promise<void>;
}

/** What a session knows about the files that it saves. */
export interface SaveFilesContext {
  /**
   * The `file:` URIs of files that the client wrote itself, because their content was too large for memory. An agent's own `file:`
   * URI never arrives as one: it begins with `unavailable:`.
   */
  readonly ownFiles: ReadonlySet<string>;
  /** Aborts when the time for all files of the task or message is up: agents give URLs that never answer. */
  readonly signal?: AbortSignal | undefined;
}

/** Agents send any number of files, with names of any length. */
const MAX_REASONS = 10;
const MAX_NAME_LENGTH = 200;

/**
 * Thrown if some files of an artifact could not be saved; the others are saved.
 *
 * @example
 * ```ts
 * throw new FilesNotSavedError([], [{ index: 0, name: 'report.pdf', reason: 'the disk is full' }]);
 * ```
 */
export class FilesNotSavedError extends Error {
  readonly code = 'FILES_NOT_SAVED';
  readonly savedPaths: readonly string[];
  readonly unsaved: readonly UnsavedFile[];

  constructor(savedPaths: readonly string[], unsaved: readonly UnsavedFile[]) {
    const each = unsaved.slice(0, MAX_REASONS).map(({ name, reason }) => {
      const file = name === null ? 'A file' : `"${shorten(name, MAX_NAME_LENGTH)}"`;
      return `${file} could not be saved because ${reason}.`;
    });
    const others = unsaved.length - each.length;
    super(
      [...each, ...(others > 0 ? [`${formatCount(others)} other files were not saved either.`] : [])].join(
        ' ',
      ),
    );
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
