import type { JsonObject } from '@holdword/protocol';
import { v03PartToCore } from '@holdword/protocol/internal';
import type { AnyPart, FilePartForLLM } from './for-llm.ts';

interface TextContent {
  readonly kind: 'text';
  readonly text: string;
}

interface DataContent {
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

/** A longer URI is not an address but contains the file itself. */
const MAX_URI_LENGTH = 2_048;

/** Describes a file to a model: its location instead of its bytes. */
export function fileForLlm(file: FileContent, savedTo: readonly string[]): FilePartForLLM {
  const saved = savedTo.length > 0 ? { _saved_to: [...savedTo] } : undefined;
  const isAddress = file.uri !== undefined && file.uri.length <= MAX_URI_LENGTH;
  return {
    kind: 'file',
    name: file.name ?? null,
    mimeType: file.mimeType ?? null,
    uri: file.uri === undefined ? null : (saved ?? (isAddress ? file.uri : NOT_SAVED)),
    bytes: file.uri === undefined ? (saved ?? NOT_SAVED) : null,
  };
}

const NOT_SAVED = {
  _error:
    'The file was not saved: saving failed, or there is no file store (start holdword mcp with --data DIR; in a program, give the session a fileStore).',
} as const;

/** The path of one file of an artifact, or all saved paths if some files were not saved. */
export function pathsOfFile(savedTo: readonly string[], files: number, index: number): readonly string[] {
  return savedTo.length === files ? savedTo.slice(index, index + 1) : savedTo;
}
