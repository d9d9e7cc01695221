import { compactJsonLength } from '../../artifacts/data/json-length.ts';

/** A piece of a reply that can be made shorter. Nothing is worked out before it is asked for. */
export interface Fittable<Value> {
  /** How many characters of JSON its shortest form has at the most. */
  readonly least: number;
  /** As it is without a budget. */
  readonly full: () => Value;
  /** How many characters of JSON that has. */
  readonly wanted: () => number;
  /** The form that says the most in `length` characters of JSON, which are no fewer than `least`. */
  readonly fit: (length: number) => Value;
}

/** Works the value out when it is asked for the first time. */
export function once<Value>(work: () => Value): () => Value {
  let done: { value: Value } | undefined;
  return () => (done ??= { value: work() }).value;
}

export function fits(value: unknown, length: number): boolean {
  return compactJsonLength(value, length) <= length;
}

/** How many characters the pieces want, with a comma for each; stops looking above the limit. */
export function wantedTogether(pieces: readonly Fittable<unknown>[], limit: number): number {
  let wanted = 0;
  for (const piece of pieces) {
    wanted += piece.wanted() + 1;
    if (wanted > limit) return Infinity;
  }
  return wanted;
}

/** The form with the largest amount, from 0 to `most`, that fits. Forms grow with the amount. */
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
