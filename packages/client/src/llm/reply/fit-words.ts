import { shortenText } from '../../artifacts/data/shorten.ts';
import { fits, largestForm, type Fittable } from './fittable.ts';

const NULL_LENGTH = 4;

/** A name or a description: whole, its beginning, or null. */
export function fittableWords(words: string | null | undefined): Fittable<string | null> {
  const full = words ?? null;
  return {
    full,
    least: NULL_LENGTH,
    fit(length) {
      if (full === null || fits(full, length)) return full;
      return (
        largestForm(Math.min(full.length, length), length, (amount) => shortenText(full, amount)) ?? null
      );
    },
  };
}
