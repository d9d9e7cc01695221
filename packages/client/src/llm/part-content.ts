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

/** A file that is somewhere (`uri`) or was sent along (`bytes`, base64). */
export interface FileContent {
  readonly kind: 'file';
  readonly name: string | undefined;
  readonly mimeType: string | undefined;
  readonly uri: string | undefined;
  readonly bytes: string | undefined;
}

export type PartContent = TextContent | DataContent | FileContent;

/** What a part holds, whichever version of A2A it is written in. */
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

/** What the parts hold, all texts as one at the place of the first, joined by line breaks. */
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
