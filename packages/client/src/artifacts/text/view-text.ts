import { checkLimit, DEFAULT_CHARACTER_LIMIT } from '../artifact-settings.ts';
import { formatCount } from '../format-count.ts';
import { countLineBreaks, sliceLines } from './lines.ts';

export interface ViewTextOptions {
  /** The first line, counted from 1; from the end when negative. */
  lineStart?: number | null | undefined;
  /** The last line, included; from the end when negative. */
  lineEnd?: number | null | undefined;
  /** As in `String.slice`. */
  characterStart?: number | null | undefined;
  /** As in `String.slice`: not included. */
  characterEnd?: number | null | undefined;
  characterLimit?: number | undefined;
}

/** A range of lines or of characters of a text. Throws when it is none, or longer than the limit. */
export function viewText(text: string, options: ViewTextOptions = {}): string {
  const limit = checkLimit('characterLimit', options.characterLimit ?? DEFAULT_CHARACTER_LIMIT);
  const selection = select(text, options);
  if (selection.length <= limit) return selection;
  throw new Error(
    `The selection has ${formatCount(selection.length)} characters, which exceeds the limit of ${formatCount(limit)}. ` +
      `The whole text has ${formatCount(countLineBreaks(text) + 1)} lines and ${formatCount(text.length)} characters: ` +
      'choose fewer with lineStart and lineEnd, or with characterStart and characterEnd.',
  );
}

function select(text: string, options: ViewTextOptions): string {
  const lineStart = wholeNumber('lineStart', options.lineStart);
  const lineEnd = wholeNumber('lineEnd', options.lineEnd);
  const characterStart = wholeNumber('characterStart', options.characterStart);
  const characterEnd = wholeNumber('characterEnd', options.characterEnd);
  const byLine = lineStart !== undefined || lineEnd !== undefined;
  const byCharacter = characterStart !== undefined || characterEnd !== undefined;
  if (byLine && byCharacter) {
    throw new Error(
      'Expected a range of lines or a range of characters, found both. Give lineStart and lineEnd, or characterStart ' +
        'and characterEnd.',
    );
  }
  if (!byLine) return text.slice(characterStart, characterEnd);

  const total = countLineBreaks(text) + 1;
  const first = lineNumber('lineStart', lineStart ?? 1, total);
  const last = lineNumber('lineEnd', lineEnd ?? total, total);
  if (first > last) {
    throw new Error(
      `Expected lineStart to be at most lineEnd, found line ${formatCount(first)} and line ${formatCount(last)}.`,
    );
  }
  return sliceLines(text, first, last);
}

function wholeNumber(name: string, value: number | null | undefined): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (Number.isInteger(value)) return value;
  throw new Error(`Expected ${name} to be a whole number, found ${value}.`);
}

/** The line counted from 1. */
function lineNumber(name: string, value: number, total: number): number {
  const line = value < 0 ? total + 1 + value : value;
  if (value !== 0 && line >= 1 && line <= total) return line;
  const count = formatCount(total);
  throw new Error(
    `Expected ${name} to be between 1 and ${count}, or between -${count} and -1 to count from the end, found ${value}. ` +
      `The text has ${count} ${total === 1 ? 'line' : 'lines'}.`,
  );
}
