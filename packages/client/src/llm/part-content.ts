import type { JsonObject } from '@holdword/protocol';
import { v03PartToCore } from '@holdword/protocol/internal';
import type { AnyPart } from './any-artifact.ts';

export interface TextContent {
  readonly kind: 'text';
  readonly text: string;
}

export interface DataContent {
  readonly kind: 'data';
  readonly data: unknown;
}

/** A file, given by its location (`uri`) or by its content (`bytes`, base64). */
export interface FileContent {
  readonly kind: 'file';
  readonly name: string | undefined;
  readonly mimeType: string | undefined;
  readonly uri: string | undefined;
  readonly bytes: string | undefined;
}

export type PartContent = TextContent | DataContent | FileContent;

/** The content of a part of A2A 1.0 or 0.3. */
export function contentOfPart(part: AnyPart): PartContent {
  const core: JsonObject = 'kind' in part ? v03PartToCore(part) : part;
  const { text, data, filename, mediaType, url, raw } = core;
  if (typeof text === 'string') return { kind: 'text', text };
  if (data !== undefined) return { kind: 'data', data };
  return {
    kind: 'file',
    name: stringOf(filename),
    mimeType: stringOf(mediaType),
    uri: stringOf(url),
    bytes: stringOf(raw),
  };
}

/** The contents of parts; all texts are joined by line breaks at the position of the first. */
export function contentsOfParts(parts: readonly AnyPart[]): PartContent[] {
  const contents = parts.map(contentOfPart);
  const texts = contents.filter((content) => content.kind === 'text');
  if (texts.length < 2) return contents;
  const joined: TextContent = { kind: 'text', text: texts.map(({ text }) => text).join('\n') };
  return contents
    .map((content) => (content === texts[0] ? joined : content))
    .filter((content) => content === joined || content.kind !== 'text');
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
