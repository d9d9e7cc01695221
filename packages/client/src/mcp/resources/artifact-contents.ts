import type { ReadResourceResult } from '@modelcontextprotocol/server';
import type { AnyArtifact } from '../../llm/any-artifact.ts';
import { contentsOfParts, type FileContent } from '../../llm/part-content.ts';

type ResourceContent = ReadResourceResult['contents'][number];

/** An artifact whole, as hosts read resources: what its parts hold, each with its media type. */
export function artifactContents(uri: string, artifact: AnyArtifact): ResourceContent[] {
  return contentsOfParts(artifact.parts).map((content): ResourceContent => {
    if (content.kind === 'text') return { uri, mimeType: 'text/plain', text: content.text };
    if (content.kind === 'data') {
      return { uri, mimeType: 'application/json', text: JSON.stringify(content.data, undefined, 2) };
    }
    return fileContent(uri, content);
  });
}

/** A file that lies elsewhere is not fetched for a host: it gets the address. */
function fileContent(uri: string, { mimeType, bytes, uri: address }: FileContent): ResourceContent {
  if (bytes === undefined) return { uri, mimeType: 'text/uri-list', text: address ?? '' };
  return { uri, mimeType: mimeType ?? 'application/octet-stream', blob: bytes };
}
