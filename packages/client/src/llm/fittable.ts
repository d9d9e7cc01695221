import { checkLimit } from '../artifacts/artifact-settings.ts';
import { compactJsonLength } from '../artifacts/json-length.ts';
import { formatCount, shortenText } from '../artifacts/shorten.ts';

/** A piece of a reply that can be shortened. Everything is computed lazily. */
export interface Fittable<Value> {
  /** Maximum JSON length of its shortest form, in characters. */
  readonly minLength: number;
  /** Its form without a budget. */
  readonly full: () => Value;
  /** JSON length of its full form. */
  readonly fullLength: () => number;
  /** The most informative form with a JSON length of at most `length`, which is at least `minLength`. */
  readonly fit: (length: number) => Value;
}

/** Computes a value on first use. */
export function lazy<Value>(work: () => Value): () => Value {
  let done: { value: Value } | undefined;
  return () => (done ??= { value: work() }).value;
}

export function fits(value: unknown, length: number): boolean {
  return compactJsonLength(value, length) <= length;
}

/** The length of all pieces in full as the items of a JSON list, without its brackets; Infinity above the limit. */
export function fullListLength(pieces: readonly Fittable<unknown>[], limit = Infinity): number {
  let length = commasIn(pieces.length);
  for (const piece of pieces) {
    length += piece.fullLength();
    if (length > limit) return Infinity;
  }
  return length;
}

/** Finds the largest amount from 0 to `most` whose form fits, by binary search: forms grow with the amount. */
export function largestForm<Value>(
  most: number,
  length: number,
  form: (amount: number) => Value,
): Value | undefined {
  let best: Value | undefined;
  let low = 0;
  let high = most;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const value = form(middle);
    if (fits(value, length)) {
      best = value;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best;
}

/** The size limit of a reply to a model. */
export interface ReplyBudget {
  /** Maximum size of the reply's JSON, in characters or in the unit of `count`. */
  readonly budget: number;
  /** Measures a text in another unit than characters, for example in tokens. */
  readonly count?: ((text: string) => number) | undefined;
}

/** Upper bound of characters per unit of `count`; more text is not considered. */
const MAX_CHARACTERS_PER_UNIT = 8;
/** Each attempt is at most this fraction of the previous one. */
const SHORTER = 0.97;

/** Fits a reply by the characters of its JSON. With another unit, the number of characters is reduced until it fits. */
export function fitIntoBudget<Reply>(pieces: Fittable<Reply>, options: ReplyBudget): Reply {
  const budget = checkLimit('budget', options.budget);
  const { count = (text: string) => text.length } = options;
  let characters = options.count === undefined ? budget : budget * MAX_CHARACTERS_PER_UNIT;
  // A small reply can be shorter than one that lists omissions.
  const minLength =
    pieces.minLength <= characters ? pieces.minLength : Math.min(pieces.minLength, pieces.fullLength());
  while (characters >= minLength) {
    const reply = pieces.fit(characters);
    const json = JSON.stringify(reply);
    const counted = count(json);
    if (counted <= budget) return reply;
    if (characters === minLength) break;
    const shorter = Math.min(characters, json.length) * (budget / counted) * SHORTER;
    characters = Math.max(minLength, Math.floor(shorter));
  }
  throw new Error(
    `The budget of ${formatCount(budget)} is too small for this reply: its ids need ` +
      `${formatCount(minLength)} characters. Raise the budget.`,
  );
}

interface FittedList<Value> {
  readonly values: Value[];
  /** Number of pieces omitted at the end. */
  readonly omitted: number;
}

/**
 * Fits pieces into `room` characters of JSON, including the commas between them. Pieces that do not fit are omitted at the
 * end; the note about omissions takes `note` characters.
 */
export function fitList<Value>(
  pieces: readonly Fittable<Value>[],
  room: number,
  note: number,
): FittedList<Value> {
  const all = countFitting(pieces, room) === pieces.length;
  const roomForPieces = all ? room : room - note;
  const shown = pieces.slice(0, countFitting(pieces, roomForPieces));
  const shares = allocate(
    roomForPieces - commasIn(shown.length),
    shown.map((piece) => ({ minLength: piece.minLength, fullLength: piece.fullLength() })),
  );
  return {
    values: shown.map((piece, index) => piece.fit(shares[index] ?? piece.minLength)),
    omitted: pieces.length - shown.length,
  };
}

/** The number of leading pieces that fit in their shortest form. */
function countFitting(pieces: readonly Fittable<unknown>[], room: number): number {
  let minLength = 0;
  for (const [index, piece] of pieces.entries()) {
    minLength += piece.minLength;
    if (minLength + commasIn(index + 1) > room) return index;
  }
  return pieces.length;
}

function commasIn(items: number): number {
  return Math.max(0, items - 1);
}

interface Demand {
  readonly minLength: number;
  /** Can be Infinity. */
  readonly fullLength: number;
}

/**
 * Divides room among demands: each gets between its minimum and its full length, and all that get less than their full
 * length get the same, unless their minimum is higher. The sum of the minimums must fit.
 */
export function allocate(room: number, demands: readonly Demand[]): number[] {
  const sharesAt = (level: number): number[] =>
    demands.map(({ minLength, fullLength }) => Math.max(minLength, Math.min(fullLength, level)));
  let low = 0;
  let high = room;
  while (low < high) {
    const level = Math.ceil((low + high) / 2);
    if (sum(sharesAt(level)) <= room) low = level;
    else high = level - 1;
  }
  return sharesAt(low);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const NULL_LENGTH = 4;

/** Fits a name or description: whole, its beginning, or null. */
export function fittableLabel(words: string | null | undefined): Fittable<string | null> {
  const full = words ?? null;
  const fullLength = lazy(() => compactJsonLength(full));
  return {
    minLength: NULL_LENGTH,
    full: () => full,
    fullLength,
    fit(length) {
      if (full === null || fullLength() <= length) return full;
      return (
        largestForm(Math.min(full.length, length), length, (amount) => shortenText(full, amount)) ?? null
      );
    },
  };
}
