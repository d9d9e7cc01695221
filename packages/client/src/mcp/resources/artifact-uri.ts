import type { ArtifactLocation } from '../../tools/artifact/find-artifact.ts';

export const ARTIFACT_URI_TEMPLATE = 'a2a://{agent}/{task}/{artifact}';

export function artifactUri({ agentId, taskId, artifactId }: ArtifactLocation): string {
  return `a2a://${[agentId, taskId, artifactId].map(encodeURIComponent).join('/')}`;
}

/** Returns undefined if the URI does not identify an artifact. */
export function parseArtifactUri(uri: string): ArtifactLocation | undefined {
  const [, agentId, taskId, artifactId] = /^a2a:\/\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(uri)?.map(decoded) ?? [];
  if (agentId === undefined || taskId === undefined || artifactId === undefined) return undefined;
  return { agentId, taskId, artifactId };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
