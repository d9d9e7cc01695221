import type { ReadResourceResult } from '@modelcontextprotocol/server';
import type { AnyArtifact } from '../../llm/any-artifact.ts';
import { contentsOfParts, type FileContent } from '../../llm/part-content.ts';

type ResourceContent = ReadResourceResult['contents'][number];

/** The complete contents of an artifact as an MCP resource, one content per part. */
export function artifactContents(uri: string, artifact: AnyArtifact): ResourceContent[] {
  return contentsOfParts(artifact.parts).map((content): ResourceContent => {
    if (content.kind === 'text') return { uri, mimeType: 'text/plain', text: content.text };
    if (content.kind === 'data') {
      return { uri, mimeType: 'application/json', text: JSON.stringify(content.data, undefined, 2) };
    }
    return fileContent(uri, content);
  });
}

/** A file given by URL is not fetched: the host gets its URL. */
function fileContent(uri: string, { mimeType, bytes, uri: address }: FileContent): ResourceContent {
  if (bytes === undefined) return { uri, mimeType: 'text/uri-list', text: address ?? '' };
  return { uri, mimeType: mimeType ?? 'application/octet-stream', blob: bytes };
}
