import type { AnyArtifact } from '../llm/any-artifact.ts';

/** Where a session keeps the files of artifacts. Implement it to keep them elsewhere, for example in object storage. */
export interface FileStore {
  /** Saves the file parts of an artifact, in their order, in place of what was saved for it; gives where they are. */
  save(taskId: string, artifact: AnyArtifact): Promise<string[]>;
  /** Where the files of an artifact are; empty when there are none. */
  get(taskId: string, artifactId: string): Promise<string[]>;
  delete(taskId: string, artifactId: string): Promise<void>;
}
