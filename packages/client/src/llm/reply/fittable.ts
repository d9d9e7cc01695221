import { compactJsonLength } from '../../artifacts/data/json-length.ts';

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

/** The full length of all pieces, with a comma for each; Infinity above the limit. */
export function totalFullLength(pieces: readonly Fittable<unknown>[], limit: number): number {
  let fullLength = 0;
  for (const piece of pieces) {
    fullLength += piece.fullLength() + 1;
    if (fullLength > limit) return Infinity;
  }
  return fullLength;
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
