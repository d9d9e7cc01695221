import { isObject } from '@holdword/protocol/internal';
import { condenseData } from '../artifacts/data-artifacts.ts';
import { compactJsonLength, readableLength } from '../artifacts/json-length.ts';
import { shortenHead, shortenText } from '../artifacts/shorten.ts';
import { cutText, excerptsOf, type TextExcerpts, withTip } from '../artifacts/text-artifacts.ts';
import { typeOfValue, type ValueType } from '../artifacts/value-summary.ts';
import { fits, type Fittable, largestForm, lazy } from './fittable.ts';
import type { DataPartForLLM, FilePartForLLM, PartForLLM, TextPartForLLM } from './for-llm.ts';
import {
  type FileContent,
  fileForLlm,
  type FileOutcome,
  type PartContent,
  pathsOfFile,
} from './part-content.ts';

interface PartsOptions {
  readonly characterLimit: number;
  readonly minimizedObjectStringLength: number;
  readonly textTip: string | null | undefined;
  readonly dataTip: string | null | undefined;
  /** What is in files, by the URI of the part. */
  readonly largeParts?: LargePreviews | undefined;
}

/** What a model sees of a content that is too large for memory. */
export type LargePreview =
  | { readonly kind: 'text'; readonly text: TextExcerpts; readonly path: string }
  | { readonly kind: 'data'; readonly summary: Readonly<Record<string, unknown>> };

export type LargePreviews = ReadonlyMap<string, LargePreview>;

/** Whether all texts and data together exceed the limit. */
export function exceedsLimit(contents: readonly PartContent[], limit: number): boolean {
  let room = limit;
  for (const content of contents) {
    if (content.kind === 'text') room -= content.text.length;
    if (content.kind === 'data') room -= readableLength(content.data, room);
    if (room < 0) return true;
  }
  return false;
}

/** Contents as pieces of a reply. With `condense`, data is condensed even if it is short. */
export function fittableContents(
  contents: readonly PartContent[],
  outcome: FileOutcome,
  condense: boolean,
  options: PartsOptions,
): Fittable<PartForLLM>[] {
  const isFile = (content: PartContent): boolean =>
    content.kind === 'file' && previewOf(content, options) === undefined;
  const files = contents.filter(isFile).length;
  let file = 0;
  return contents.map((content): Fittable<PartForLLM> => {
    if (content.kind === 'text') {
      return fittableText(excerptsOf(content.text), { ...options, tip: options.textTip });
    }
    if (content.kind === 'data') {
      return fittableData(content.data, { ...options, condense, tip: options.dataTip });
    }
    const preview = previewOf(content, options);
    if (preview !== undefined) return fittablePreview(preview, options);
    const index = file;
    file += 1;
    return fittableFile(fileForLlm(content, pathsOfFile(outcome, files, index), outcome.reasons.get(index)));
  });
}

function previewOf({ uri }: FileContent, { largeParts }: PartsOptions): LargePreview | undefined {
  return uri === undefined ? undefined : largeParts?.get(uri);
}

function fittablePreview(preview: LargePreview, options: PartsOptions): Fittable<PartForLLM> {
  if (preview.kind === 'text') {
    const { text, path } = preview;
    return fittableText(text, { ...options, tip: options.textTip, savedTo: [path] });
  }
  const full: DataPartForLLM = { kind: 'data', data: withTip(preview.summary, options.dataTip) };
  const shortest: DataPartForLLM = { kind: 'data', data: { _type: 'large data' } };
  const fullLength = compactJsonLength(full);
  return {
    minLength: Math.min(fullLength, compactJsonLength(shortest)),
    full: () => full,
    fullLength: () => fullLength,
    fit: (length) => (fullLength <= length ? full : shortest),
  };
}

/** With less room than this, the range fields take more space than the text. */
const MIN_CUT_LENGTH = 800;

interface FitTextOptions {
  readonly characterLimit: number;
  readonly tip: string | null | undefined;
  /** The file that holds the whole text. */
  readonly savedTo?: readonly string[] | undefined;
}

/** Fits a text: whole, its beginning and end, or only its beginning. */
function fittableText(text: TextExcerpts, options: FitTextOptions): Fittable<TextPartForLLM> {
  const savedTo = options.savedTo && { _saved_to: options.savedTo };
  const cut = (limit: number): TextPartForLLM => ({
    kind: 'text',
    ...withTip(cutText(text, limit), options.tip),
    ...savedTo,
  });
  const beginning = (amount: number): TextPartForLLM => ({
    kind: 'text',
    text: amount >= text.length ? text.head(amount) : shortenHead(text.head(amount + 1), amount, text.length),
  });
  const full = lazy((): TextPartForLLM =>
    text.length <= options.characterLimit
      ? { kind: 'text', text: text.head(text.length), ...savedTo }
      : cut(Math.min(options.characterLimit, text.available)),
  );
  const fullLength = lazy(() => compactJsonLength(full()));
  const shortest = compactJsonLength(beginning(0));
  return {
    minLength: text.length < shortest ? Math.min(shortest, fullLength()) : shortest,
    full,
    fullLength,
    fit(length) {
      if (fullLength() <= length) return full();
      const most = Math.min(text.available, length);
      const middleLeftOut = length < MIN_CUT_LENGTH ? undefined : largestForm(most, length, cut);
      return middleLeftOut ?? largestForm(most, length, beginning) ?? beginning(0);
    },
  };
}

interface FitDataOptions {
  /** Whether to condense the data regardless of the budget. */
  readonly condense: boolean;
  readonly characterLimit: number;
  readonly minimizedObjectStringLength: number;
  readonly tip: string | null | undefined;
}

/** Tried if long strings take up the room. */
const SHORT_STRINGS = 100;

/** Fits data: whole, condensed, condensed with shorter strings, an outline of its types, or only its type. */
function fittableData(data: unknown, options: FitDataOptions): Fittable<DataPartForLLM> {
  const whole: DataPartForLLM = { kind: 'data', data };
  const condensed = (stringLength: number): DataPartForLLM => {
    const minimized = condenseData(data, { ...options, minimizedObjectStringLength: stringLength });
    return minimized['data'] === data ? whole : { kind: 'data', data: minimized };
  };
  const full = lazy(() => (options.condense ? condensed(options.minimizedObjectStringLength) : whole));
  const fullLength = lazy(() => compactJsonLength(full()));
  const shortest: DataPartForLLM = { kind: 'data', data: { _type: typeOfValue(data) } };
  const minLength = compactJsonLength(shortest);
  return {
    minLength: Math.min(minLength, compactJsonLength(whole, minLength)),
    full,
    fullLength,
    fit(length) {
      if (fullLength() <= length) return full();
      if (fits(whole, length)) return whole;
      if (typeof data === 'string') {
        return (
          largestForm(Math.min(data.length, length), length, (amount) => beginningOf(data, amount)) ??
          shortest
        );
      }
      for (const stringLength of lengthsToTry(data, options)) {
        const form = condensed(stringLength);
        if (fits(form, length)) return form;
      }
      const outline = outlineData(data);
      const outlined = (names: number): DataPartForLLM => ({
        kind: 'data',
        data: { data: outline.describe(names) },
      });
      return largestForm(Math.min(outline.names, length), length, outlined) ?? shortest;
    },
  };
}

function beginningOf(text: string, amount: number): DataPartForLLM {
  return { kind: 'data', data: { text: shortenText(text, amount) } };
}

/** String lengths for which condensing may produce something shorter than the full form. */
function lengthsToTry(data: unknown, options: FitDataOptions): number[] {
  return [
    ...(options.condense ? [] : [options.minimizedObjectStringLength]),
    ...(Array.isArray(data) || options.minimizedObjectStringLength <= SHORT_STRINGS ? [] : [SHORT_STRINGS]),
  ];
}

const SHORT_NAME = 40;

/** Fits a file: with its location, or only its name. */
function fittableFile(file: FilePartForLLM): Fittable<FilePartForLLM> {
  const shortest: FilePartForLLM = {
    kind: 'file',
    name: file.name === null ? null : shortenText(file.name, SHORT_NAME),
    mimeType: null,
    uri: null,
    bytes: null,
  };
  const fullLength = compactJsonLength(file);
  return {
    minLength: Math.min(fullLength, compactJsonLength(shortest)),
    full: () => file,
    fullLength: () => fullLength,
    fit: (length) => (fullLength <= length ? file : shortest),
  };
}

/** The outline of data if there is no room for its values: counts by type. */
interface DataOutline {
  /** Number of columns or fields that can be named. */
  readonly names: number;
  /** The outline with the first `names` of them. */
  describe(names: number): Record<string, unknown>;
}

function outlineData(data: unknown): DataOutline {
  if (Array.isArray(data)) {
    return data.length > 0 && data.every(isObject) ? outlineTable(data) : outlineList(data);
  }
  return isObject(data) ? outlineObject(data) : { names: 0, describe: () => ({ _type: typeOfValue(data) }) };
}

function outlineTable(rows: readonly Record<string, unknown>[]): DataOutline {
  const columns = new Map<string, Map<ValueType, number>>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      let counts = columns.get(name);
      if (counts === undefined) columns.set(name, (counts = new Map()));
      countType(counts, value);
    }
  }
  return {
    names: columns.size,
    describe: (names) => ({
      _total_rows: rows.length,
      _columns: [...columns].slice(0, names).map(([name, counts]) => ({ types: listTypes(counts), name })),
      ...(names < columns.size && { _omitted_columns: columns.size - names }),
    }),
  };
}

function outlineList(list: readonly unknown[]): DataOutline {
  const counts = new Map<ValueType, number>();
  for (const value of list) countType(counts, value);
  return {
    names: 0,
    describe: () => ({ _total_items: list.length, _summary: { types: listTypes(counts) } }),
  };
}

function outlineObject(object: Record<string, unknown>): DataOutline {
  const fields = Object.entries(object);
  return {
    names: fields.length,
    describe: (names) => ({
      _total_fields: fields.length,
      _fields: fields.slice(0, names).map(([name, value]) => ({ type: typeOfValue(value), name })),
      ...(names < fields.length && { _omitted_fields: fields.length - names }),
    }),
  };
}

function countType(counts: Map<ValueType, number>, value: unknown): void {
  const type = typeOfValue(value);
  counts.set(type, (counts.get(type) ?? 0) + 1);
}

function listTypes(counts: ReadonlyMap<ValueType, number>): { name: ValueType; count: number }[] {
  return Array.from(counts, ([name, count]) => ({ name, count })).toSorted(
    (one, other) => other.count - one.count,
  );
}
