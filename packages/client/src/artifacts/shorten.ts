import { quoteRemoteText } from '@holdword/protocol/internal';
import { compactJsonLength } from './json-length.ts';

/** The first `length` characters of a longer text, and the number of omitted ones. */
export function shortenText(text: string, length: number): string {
  return text.length <= length ? text : shortenHead(text, length, text.length);
}

/** The same for a text of which only the beginning is at hand. */
export function shortenHead(head: string, length: number, total: number): string {
  const end = length > 0 && (head.codePointAt(length - 1) ?? 0) > 0xffff ? length - 1 : length;
  // Joined, not concatenated: a concatenation would keep the whole text in memory.
  return [head.slice(0, end), `... [${formatCount(total - end)} more chars]`].join('');
}

/** Returns a short value unchanged, and a long one as the beginning of its text or JSON. */
export function shortenValue(value: unknown, length: number): unknown {
  if (typeof value === 'string') return shortenText(value, length);
  if (compactJsonLength(value, length) <= length) return value;
  return `${jsonPrefix(value, length)}...`;
}

/** The first characters of a value's compact JSON. The cost depends on the length, not on the value. */
export function jsonPrefix(value: unknown, length: number): string {
  const pieces: string[] = [];
  let room = length;
  for (const piece of jsonPieces(value, length)) {
    pieces.push(piece.slice(0, room));
    room -= piece.length;
    if (room <= 0) break;
  }
  return pieces.join('').toWellFormed();
}

/** Strings are cut before they are escaped, because at most `length` characters are needed. */
function* jsonPieces(value: unknown, length: number): Generator<string> {
  if (typeof value === 'string') yield JSON.stringify(value.slice(0, length));
  else if (Array.isArray(value)) yield* listPieces(value, length);
  else if (typeof value === 'object' && value !== null) yield* objectPieces(value, length);
  else yield JSON.stringify(value) ?? 'null';
}

function* listPieces(list: readonly unknown[], length: number): Generator<string> {
  yield '[';
  for (const [index, item] of list.entries()) {
    if (index > 0) yield ',';
    yield* jsonPieces(item, length);
  }
  yield ']';
}

function* objectPieces(object: object, length: number): Generator<string> {
  yield '{';
  let separator = '';
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue;
    const item: unknown = Reflect.get(object, key);
    if (item === undefined) continue;
    yield `${separator}${JSON.stringify(key.slice(0, length))}:`;
    yield* jsonPieces(item, length);
    separator = ',';
  }
  yield '}';
}

/** A name that an agent chose: models and people take a line break in it for the end. */
export function oneLine(name: string): string {
  return name.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
}

const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 100;
const PLAIN_NAME = /^[\w.:[\]-]{1,64}$/;

/** Names that an agent chose, within a sentence of ours. Those that are no plain words are quoted. */
export function listNames(names: readonly string[], most = MAX_NAMES): string {
  const shown = names
    .slice(0, most)
    .map((name) => (PLAIN_NAME.test(name) ? name : quoteRemoteText(name, MAX_NAME_LENGTH)));
  return `${shown.join(', ')}${names.length > most ? `, and ${names.length - most} more` : ''}`;
}

/** Always English, independent of the system's locale, because models read it. */
const THOUSANDS = new Intl.NumberFormat('en-US');

/** A number and what it counts: `1 line`, `2,000 lines`. */
export function countOf(count: number, unit: string): string {
  return `${formatCount(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** Formats a number with thousands separators. */
export function formatCount(count: number): string {
  return THOUSANDS.format(count);
}
