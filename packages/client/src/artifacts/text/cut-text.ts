import { formatCount } from '../format-count.ts';
import { countLineBreaks } from './lines.ts';

/** The beginning and the end of a text, and their ranges. */
export interface CutText {
  readonly text: string;
  readonly _total_lines: number;
  readonly _total_characters: number;
  readonly _start_line_range: string;
  readonly _end_line_range: string;
  readonly _start_character_range: string;
  readonly _end_character_range: string;
}

/**
 * Keeps at most `limit` characters, half from the beginning and half from the end, with a note between them.
 * `totalLines` is a parameter because counting the lines of a large text is most of the work.
 */
export function cutText(text: string, totalLines: number, limit: number): CutText {
  const half = Math.floor(limit / 2);
  const headEnd = splitsPair(text, half) ? half - 1 : half;
  const tail = text.length - half;
  const tailStart = splitsPair(text, tail) ? tail + 1 : tail;
  const omitted = formatCount(tailStart - headEnd);
  const pieces = [
    text.slice(0, headEnd),
    `\n\n[... ${omitted} characters omitted ...]\n\n`,
    text.slice(tailStart),
  ];
  return {
    // Joined, not concatenated: a concatenation would keep the whole text in memory.
    text: pieces.join(''),
    _total_lines: totalLines,
    _total_characters: text.length,
    _start_line_range: `1-${1 + countLineBreaks(text, 0, headEnd)}`,
    _end_line_range: `${totalLines - countLineBreaks(text, tailStart)}-${totalLines}`,
    _start_character_range: `0-${headEnd}`,
    _end_character_range: `${tailStart}-${text.length}`,
  };
}

/** Whether the index splits a surrogate pair. */
function splitsPair(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff && index > 0;
}
