import { checkLimit, DEFAULT_CHARACTER_LIMIT } from '../artifact-settings.ts';
import { formatCount } from '../format-count.ts';
import { countLineBreaks, sliceLines } from './lines.ts';

/** Options of `TextArtifacts.view`. */
export interface ViewTextOptions {
  /** First line (1-based); negative numbers count from the end. */
  lineStart?: number | null | undefined;
  /** Last line (1-based, inclusive); negative numbers count from the end. */
  lineEnd?: number | null | undefined;
  /** First character (0-based), as in `String.slice`. */
  characterStart?: number | null | undefined;
  /** End of the range (0-based, exclusive), as in `String.slice`. */
  characterEnd?: number | null | undefined;
  /**
   * Maximum length of the selection.
   * @default 50000
   */
  characterLimit?: number | undefined;
}

/** Returns a range of lines or characters. Throws if the range is invalid or the selection exceeds the limit. */
export function viewText(text: string, options: ViewTextOptions = {}): string {
  const limit = checkLimit('characterLimit', options.characterLimit ?? DEFAULT_CHARACTER_LIMIT);
  const selection = select(text, options);
  if (selection.length <= limit) return selection;
  throw new Error(
    `The selection has ${formatCount(selection.length)} characters, which exceeds the limit of ${formatCount(limit)}. ` +
      `The whole text has ${formatCount(countLineBreaks(text) + 1)} lines and ${formatCount(text.length)} characters: ` +
      'select fewer with lineStart and lineEnd, or with characterStart and characterEnd.',
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
      'A range of lines and a range of characters cannot be combined. Use either lineStart and lineEnd, or ' +
        'characterStart and characterEnd.',
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
  throw new Error(`Expected ${name} to be an integer, found ${value}.`);
}

/** The 1-based line number. */
function lineNumber(name: string, value: number, total: number): number {
  const line = value < 0 ? total + 1 + value : value;
  if (value !== 0 && line >= 1 && line <= total) return line;
  const count = formatCount(total);
  throw new Error(
    `Expected ${name} to be between 1 and ${count}, or between -${count} and -1 to count from the end, found ${value}. ` +
      `The text has ${count} ${total === 1 ? 'line' : 'lines'}.`,
  );
}
