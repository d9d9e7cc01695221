import { asObject } from '@holdword/protocol/internal';
import type { ArtifactLocation } from '../../tools/artifact/find-artifact.ts';
import type { ToolResult } from '../../tools/tool.ts';
import { artifactUri } from './artifact-uri.ts';

export interface SeenArtifact extends ArtifactLocation {
  readonly uri: string;
  readonly name: string;
  readonly description: string | undefined;
}

const MAX_REMEMBERED = 200;

/** Recently returned artifacts, so that hosts can list them. Evicts the oldest. */
export class SeenArtifacts {
  readonly #artifacts = new Map<string, SeenArtifact>();

  /** Newest first. */
  list(): SeenArtifact[] {
    return [...this.#artifacts.values()].toReversed();
  }

  /** Records the artifacts in the result of a tool. */
  record(agentId: unknown, result: ToolResult): void {
    const { kind, id, artifacts } = result;
    if (typeof agentId !== 'string' || kind !== 'task' || typeof id !== 'string' || !Array.isArray(artifacts))
      return;
    for (const artifact of artifacts) {
      const { artifactId, name, description } = asObject(artifact);
      if (typeof artifactId !== 'string') continue;
      const location = { agentId, taskId: id, artifactId };
      const uri = artifactUri(location);
      this.#artifacts.delete(uri);
      this.#artifacts.set(uri, {
        ...location,
        uri,
        name: typeof name === 'string' ? name : artifactId,
        description: typeof description === 'string' ? description : undefined,
      });
    }
    for (const uri of this.#artifacts.keys()) {
      if (this.#artifacts.size <= MAX_REMEMBERED) break;
      this.#artifacts.delete(uri);
    }
  }
}
