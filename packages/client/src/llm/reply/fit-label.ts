import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import { shortenText } from '../../artifacts/data/shorten.ts';
import { largestForm, lazy, type Fittable } from './fittable.ts';

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
