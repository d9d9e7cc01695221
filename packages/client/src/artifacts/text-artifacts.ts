import { checkLimit, DEFAULT_CHARACTER_LIMIT } from './artifact-settings.ts';
import { formatCount } from './shorten.ts';

/**
 * Views and minimizes text for a model.
 *
 * @example
 * ```ts
 * import { TextArtifacts } from '@holdword/client';
 *
 * const log = '[INFO] Server started\n[INFO] Connected to DB\n[WARN] Cache miss';
 * TextArtifacts.view(log, { lineStart: 1, lineEnd: 2 }); // the first two lines
 * TextArtifacts.minimize('x'.repeat(60_000)); // the first and last 25,000 characters
 * ```
 */
export const TextArtifacts = {
  /**
   * Returns a range of lines (1-based, inclusive) or of characters (0-based, like `slice`).
   *
   * @throws Error if both kinds of range are given, a line does not exist, or the selection exceeds the character limit.
   */
  view(text: string, options?: ViewTextOptions): string {
    return viewText(text, options);
  },

  /** Returns text within the limit as `{text}`; otherwise its beginning and end with their ranges. */
  minimize(text: string, options?: MinimizeTextOptions): Record<string, unknown> {
    return { ...minimizeText(text, options) };
  },
} as const;

/** Options of `TextArtifacts.minimize`. */
export interface MinimizeTextOptions {
  /**
   * Longer text is minimized to this many characters.
   * @default 50000
   */
  characterLimit?: number | undefined;
  /** Added as `_tip` if the text was minimized. */
  tip?: string | null | undefined;
}

/** The whole text, or its beginning and end. */
type MinimizedText = { readonly text: string } | (CutText & { readonly _tip?: string });

/** Returns text within the limit unchanged, and the beginning and end of longer text. */
export function minimizeText(text: string, options: MinimizeTextOptions = {}): MinimizedText {
  const limit = checkLimit('characterLimit', options.characterLimit ?? DEFAULT_CHARACTER_LIMIT);
  if (text.length <= limit) return { text };
  return withTip(cutText(text, countLineBreaks(text) + 1, limit), options.tip);
}

export function withTip<Value extends object>(
  value: Value,
  tip: string | null | undefined,
): Value & { _tip?: string } {
  return tip === null || tip === undefined || tip === '' ? value : { ...value, _tip: tip };
}

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
function viewText(text: string, options: ViewTextOptions = {}): string {
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

/** The beginning and the end of a text, and their ranges. */
interface CutText {
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
function sliceLines(text: string, first: number, last: number): string {
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
