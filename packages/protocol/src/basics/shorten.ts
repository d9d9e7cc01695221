/**
 * The beginning of a text, with a mark if something is missing; never longer than `length` in all. Does not cut a character
 * that takes two units of UTF-16 in half.
 */
export function shorten(text: string, length: number, mark = '…'): string {
  if (text.length <= length) return text;
  const room = Math.max(0, length - mark.length);
  const end = isHighSurrogate(text, room - 1) ? room - 1 : room;
  // Joined, not concatenated: a concatenation would keep the whole text in memory.
  return [text.slice(0, end), mark].join('').slice(0, length);
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** The text without any of these characters at its end. A regular expression that ends with `+$` takes quadratic time. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
