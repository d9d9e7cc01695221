import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import { shortenText } from '../../artifacts/data/shorten.ts';
import { largestForm, once, type Fittable } from './fittable.ts';

const NULL_LENGTH = 4;

/** A name or a description: whole, its beginning, or null. */
export function fittableWords(words: string | null | undefined): Fittable<string | null> {
  const full = words ?? null;
  const wanted = once(() => compactJsonLength(full));
  return {
    least: NULL_LENGTH,
    full: () => full,
    wanted,
    fit(length) {
      if (full === null || wanted() <= length) return full;
      return (
        largestForm(Math.min(full.length, length), length, (amount) => shortenText(full, amount)) ?? null
      );
    },
  };
}
