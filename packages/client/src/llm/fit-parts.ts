import { isObject } from '@holdword/protocol/internal';
import { condenseData } from '../artifacts/data-artifacts.ts';
import { compactJsonLength, readableLength } from '../artifacts/json-length.ts';
import { shortenText } from '../artifacts/shorten.ts';
import { countLineBreaks, cutText, withTip } from '../artifacts/text-artifacts.ts';
import { typeOfValue, type ValueType } from '../artifacts/value-summary.ts';
import { fits, type Fittable, largestForm, lazy } from './fittable.ts';
import type { DataPartForLLM, FilePartForLLM, PartForLLM, TextPartForLLM } from './for-llm.ts';
import { fileForLlm, type PartContent, pathsOfFile } from './part-content.ts';

interface PartsOptions {
  readonly characterLimit: number;
  readonly minimizedObjectStringLength: number;
  readonly textTip: string | null | undefined;
  readonly dataTip: string | null | undefined;
}

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
  savedTo: readonly string[],
  condense: boolean,
  options: PartsOptions,
): Fittable<PartForLLM>[] {
  const files = contents.filter(({ kind }) => kind === 'file').length;
  let file = 0;
  return contents.map((content): Fittable<PartForLLM> => {
    if (content.kind === 'text') {
      return fittableText(content.text, { ...options, tip: options.textTip });
    }
    if (content.kind === 'data') {
      return fittableData(content.data, { ...options, condense, tip: options.dataTip });
    }
    file += 1;
    return fittableFile(fileForLlm(content, pathsOfFile(savedTo, files, file - 1)));
  });
}

/** With less room than this, the range fields take more space than the text. */
const MIN_CUT_LENGTH = 800;

/** Fits a text: whole, its beginning and end, or only its beginning. */
function fittableText(
  text: string,
  options: { characterLimit: number; tip: string | null | undefined },
): Fittable<TextPartForLLM> {
  const lines = lazy(() => countLineBreaks(text) + 1);
  const cut = (limit: number): TextPartForLLM => ({
    kind: 'text',
    ...withTip(cutText(text, lines(), limit), options.tip),
  });
  const beginning = (amount: number): TextPartForLLM => ({ kind: 'text', text: shortenText(text, amount) });
  const full = lazy((): TextPartForLLM =>
    text.length <= options.characterLimit ? { kind: 'text', text } : cut(options.characterLimit),
  );
  const fullLength = lazy(() => compactJsonLength(full()));
  const shortest = compactJsonLength(beginning(0));
  return {
    minLength: text.length < shortest ? Math.min(shortest, fullLength()) : shortest,
    full,
    fullLength,
    fit(length) {
      if (fullLength() <= length) return full();
      const most = Math.min(text.length, length);
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
