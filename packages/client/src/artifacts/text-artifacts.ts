import {
  checkArgument,
  checkOptions,
  isAnything,
  isText,
  type OptionCheck,
  orNull,
} from '../basics/check-options.ts';
import { checkLimit, DEFAULT_CHARACTER_LIMIT } from './artifact-settings.ts';
import { countOf, formatCount } from './shorten.ts';

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
   * @throws Error if both kinds of range are given, a line does not exist, or the selection exceeds the character limit;
   *   TypeError if an option is unknown.
   */
  view(text: string, options: ViewTextOptions = {}): string {
    const call = 'TextArtifacts.view(text, options)';
    checkArgument(call, 'text', text, isText);
    checkOptions(call, options, {
      lineStart: isAnything,
      lineEnd: isAnything,
      characterStart: isAnything,
      characterEnd: isAnything,
      characterLimit: isAnything,
    } satisfies Record<keyof ViewTextOptions, OptionCheck>);
    return viewText(text, options);
  },

  /**
   * Returns text within the limit as `{text}`; otherwise its beginning and end with their ranges.
   *
   * @throws Error if the limit is invalid, TypeError if an option is unknown.
   */
  minimize(text: string, options: MinimizeTextOptions = {}): Record<string, unknown> {
    const call = 'TextArtifacts.minimize(text, options)';
    checkArgument(call, 'text', text, isText);
    checkOptions(call, options, {
      characterLimit: isAnything,
      tip: orNull(isText),
    } satisfies Record<keyof MinimizeTextOptions, OptionCheck>);
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
  return withTip(cutText(excerptsOf(text), limit), options.tip);
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
  const range = textRange(options, () => countLineBreaks(text) + 1);
  const selection =
    'first' in range ? sliceLines(text, range.first, range.last) : text.slice(range.start, range.end);
  if (selection.length <= limit) return selection;
  throw selectionTooLong(selection.length, limit, { lines: countLineBreaks(text) + 1, length: text.length });
}

/** The error for a selection that is longer than the limit. */
export function selectionTooLong(
  selected: number,
  limit: number,
  { lines, length }: { readonly lines: number; readonly length: number },
): Error {
  return new Error(
    `The selection has ${countOf(selected, 'character')}, which exceeds the limit of ${formatCount(limit)}. ` +
      `The whole text has ${countOf(lines, 'line')} and ${countOf(length, 'character')}: ` +
      'select fewer with lineStart and lineEnd, or with characterStart and characterEnd.',
  );
}

/** A range of lines (1-based, inclusive) or of characters, as `String.slice` takes it. */
export type TextRange =
  | { readonly first: number; readonly last: number }
  | { readonly start: number | undefined; readonly end: number | undefined };

/** Reads the range from the options. Throws if it is invalid. */
export function textRange(options: ViewTextOptions, countLines: () => number): TextRange {
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
  if (!byLine) return { start: characterStart, end: characterEnd };

  const total = countLines();
  const first = lineNumber('lineStart', lineStart ?? 1, total);
  const last = lineNumber('lineEnd', lineEnd ?? total, total);
  if (first > last) {
    throw new Error(
      `Expected lineStart to be at most lineEnd, found line ${formatCount(first)} and line ${formatCount(last)}.`,
    );
  }
  return { first, last };
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
      `The text has ${countOf(total, 'line')}.`,
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

/** The beginning and end of a text, which is a string or in a file. */
export interface TextExcerpts {
  readonly length: number;
  /** Counted on demand: for a large text, that is most of the work. */
  readonly lines: number;
  /** How many characters `head` and `tail` can return. */
  readonly available: number;
  head(characters: number): string;
  tail(characters: number): string;
}

export function excerptsOf(text: string): TextExcerpts {
  let lines: number | undefined;
  return {
    length: text.length,
    available: text.length,
    get lines() {
      return (lines ??= countLineBreaks(text) + 1);
    },
    head: (characters) => text.slice(0, characters),
    tail: (characters) => text.slice(Math.max(0, text.length - characters)),
  };
}

/** Keeps at most `limit` characters, half from the beginning and half from the end, with a note between them. */
export function cutText(text: TextExcerpts, limit: number): CutText {
  const half = Math.floor(limit / 2);
  const { length, lines } = text;
  // One more character on each side, to see whether the cut would split a pair.
  const longHead = text.head(half + 1);
  const longTail = text.tail(half + 1);
  const head = longHead.slice(0, splitsPair(longHead, half) ? half - 1 : half);
  const tail = longTail.slice(splitsPair(longTail, 1) ? 2 : 1);
  const tailStart = length - tail.length;
  // Joined, not concatenated: a concatenation would keep the whole text in memory.
  const omitted = `\n\n[... ${formatCount(tailStart - head.length)} characters omitted ...]\n\n`;
  return {
    text: [head, omitted, tail].join(''),
    _total_lines: lines,
    _total_characters: length,
    _start_line_range: `1-${1 + countLineBreaks(head)}`,
    _end_line_range: `${lines - countLineBreaks(tail)}-${lines}`,
    _start_character_range: `0-${head.length}`,
    _end_character_range: `${tailStart}-${length}`,
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
