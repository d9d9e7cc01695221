import { compactJsonLength } from '../../artifacts/data/json-length.ts';

/** A piece of a reply that can be made shorter. */
export interface Fittable<Value> {
  /** As it is without a budget. */
  readonly full: Value;
  /** How many characters of JSON its shortest form has at the most. */
  readonly least: number;
  /** The form that says the most in `length` characters of JSON, which are no fewer than `least`. */
  fit(length: number): Value;
}

/** How many characters of JSON are asked for; everything above the limit counts as Infinity. */
export function wantedLength(piece: Fittable<unknown>, limit: number): number {
  return Math.max(piece.least, compactJsonLength(piece.full, limit));
}

export function fits(value: unknown, length: number): boolean {
  return compactJsonLength(value, length) <= length;
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
