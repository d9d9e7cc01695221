import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@holdword/protocol';
import { shorten, v03PartToCore } from '@holdword/protocol/internal';
import { withForeignNames } from '../artifacts/foreign-names.ts';
import { oneLine } from '../artifacts/shorten.ts';
import { isOnAgentsMachine, ON_AGENTS_MACHINE } from '../basics/client-names.ts';
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

/** The content of a part of A2A 1.0 or 0.3, as models see it: names in its data that look like ours are marked. */
export function contentOfPart(part: AnyPart): PartContent {
  const core: JsonObject = 'kind' in part ? v03PartToCore(part) : part;
  const { text, data, filename, mediaType, url, raw } = core;
  if (typeof text === 'string') return { kind: 'text', text };
  if (data !== undefined) return { kind: 'data', data: withForeignNames(data) };
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

/**
 * Joins texts of an artifact that follow each other and differ in nothing but the text, as agents do that merge streamed text.
 *
 * Servers of the official SDK keep every chunk of a streamed text as a part. Nothing tells chunks from separate texts, and words
 * that are torn apart do more harm than texts that follow each other directly.
 */
export function joinChunks<Each extends AnyPart>(parts: readonly Each[]): Each[] {
  const joined: Each[] = [];
  let chunks: string[] = [];
  const close = (): void => {
    const last = joined.at(-1);
    if (last !== undefined && chunks.length > 1)
      joined[joined.length - 1] = { ...last, text: chunks.join('') };
    chunks = [];
  };
  for (const part of parts) {
    const last = joined.at(-1);
    const text = textIn(part);
    if (text !== undefined && chunks.length > 0 && last !== undefined && isAlike(last, part)) {
      chunks.push(text);
      continue;
    }
    close();
    joined.push(part);
    if (text !== undefined) chunks.push(text);
  }
  close();
  return joined;
}

function textIn(part: AnyPart): string | undefined {
  return 'text' in part ? part.text : undefined;
}

function isAlike(one: AnyPart, other: AnyPart): boolean {
  return isDeepStrictEqual({ ...one, text: '' }, { ...other, text: '' });
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A longer URI is not an address but contains the file itself. */
const MAX_URI_LENGTH = 2_048;
/** A longer name would leave no room for where the file is. */
const MAX_NAME_LENGTH = 500;

/** A file that could not be saved. */
export interface UnsavedFile {
  /** Its position among the files of the artifact, from 0. */
  readonly index: number;
  /** The agent's name for the file, if any. */
  readonly name: string | null;
  readonly reason: string;
}

/** What became of the files of an artifact. */
export interface FileOutcome {
  readonly paths: readonly string[];
  /** The reasons by the position of the file among the files of the artifact. */
  readonly reasons: ReadonlyMap<number, string>;
}

/** Describes a file to a model: its location instead of its bytes, or why it was not saved. */
export function fileForLlm(file: FileContent, savedTo: readonly string[], reason?: string): FilePartForLLM {
  const saved = savedTo.length > 0 ? { _saved_to: [...savedTo] } : undefined;
  const failure = reason ?? (isOnAgentsMachine(file.uri) ? ON_AGENTS_MACHINE : undefined);
  const error = failure === undefined ? undefined : { _error: `The file was not saved because ${failure}.` };
  const isAddress = file.uri !== undefined && file.uri.length <= MAX_URI_LENGTH;
  const address = isAddress ? (error === undefined ? file.uri : { _uri: file.uri, ...error }) : undefined;
  return {
    kind: 'file',
    name: shownFileName(file.name),
    mimeType: file.mimeType === undefined ? null : oneLine(shorten(file.mimeType, MAX_NAME_LENGTH)),
    uri: file.uri === undefined ? null : (saved ?? address ?? error ?? NOT_SAVED),
    bytes: file.uri === undefined ? (saved ?? error ?? NOT_SAVED) : null,
  };
}

/** Only the name: a path of the agent's machine means nothing here, and must not be taken for one of ours. */
function shownFileName(name = ''): string | null {
  const last = name.slice(-MAX_NAME_LENGTH).split(/[/\\]/).at(-1) ?? '';
  return oneLine(last) || null;
}

const NOT_SAVED = {
  _error:
    'The file was not saved: there is no file store. Start holdword mcp with --data DIR; in a program, give the session a fileStore.',
} as const;

/** The path of one file of an artifact; all saved paths if some files were not saved and it is not known which. */
export function pathsOfFile(
  { paths, reasons }: FileOutcome,
  files: number,
  index: number,
): readonly string[] {
  if (reasons.has(index)) return [];
  if (paths.length + reasons.size !== files) return paths;
  const position = index - unsavedBefore(reasons, index);
  return paths.slice(position, position + 1);
}

/** The positions of files that were not saved, in order: sorting them anew for every file would take quadratic time. */
const UNSAVED = new WeakMap<FileOutcome['reasons'], readonly number[]>();

function unsavedBefore(reasons: FileOutcome['reasons'], index: number): number {
  const unsaved = UNSAVED.get(reasons) ?? [...reasons.keys()].toSorted((one, other) => one - other);
  UNSAVED.set(reasons, unsaved);
  let [low, high] = [0, unsaved.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((unsaved[middle] ?? index) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}
