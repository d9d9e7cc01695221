import type { AnyArtifact } from '../llm/any-artifact.ts';

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
