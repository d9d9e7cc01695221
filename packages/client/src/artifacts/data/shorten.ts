import { formatCount } from '../format-count.ts';
import { compactJsonLength } from './json-length.ts';
import { jsonPrefix } from './json-prefix.ts';

/** The first `length` characters of a longer text, and the number of omitted ones. */
export function shortenText(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = length > 0 && (text.codePointAt(length - 1) ?? 0) > 0xffff ? length - 1 : length;
  // Joined, not concatenated: a concatenation would keep the whole text in memory.
  return [text.slice(0, end), `... [${formatCount(text.length - end)} more chars]`].join('');
}

/** Returns a short value unchanged, and a long one as the beginning of its text or JSON. */
export function shortenValue(value: unknown, length: number): unknown {
  if (typeof value === 'string') return shortenText(value, length);
  if (compactJsonLength(value, length) <= length) return value;
  return `${jsonPrefix(value, length)}...`;
}
