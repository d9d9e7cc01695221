const LINE_BREAK = '\n';

/** The number of line breaks in a range of the text. */
export function countLineBreaks(text: string, from = 0, to = text.length): number {
  let breaks = 0;
  for (let at = text.indexOf(LINE_BREAK, from); at !== -1 && at < to; at = text.indexOf(LINE_BREAK, at + 1)) {
    breaks += 1;
  }
  return breaks;
}

/** The lines from `first` to `last`, 1-based and inclusive. Builds no array of lines, because the text may be huge. */
export function sliceLines(text: string, first: number, last: number): string {
  const start = first === 1 ? 0 : indexOfBreak(text, 0, first - 1) + 1;
  const end = indexOfBreak(text, start, last - first + 1);
  return text.slice(start, end === -1 ? text.length : end);
}

/** The index of the nth line break at or after `from`; -1 if there is none. */
function indexOfBreak(text: string, from: number, nth: number): number {
  let at = from - 1;
  for (let found = 0; found < nth; found += 1) {
    at = text.indexOf(LINE_BREAK, at + 1);
    if (at === -1) return -1;
  }
  return at;
}
