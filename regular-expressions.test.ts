import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { readSources } from './scripts/code-shape/read-sources.ts';

/*
 * No regular expression of the product takes more than linear time, whatever text it is given: see CONTRIBUTING.md. Each literal is
 * tried on long texts that are made from itself. Of an expression whose text is short for certain, the reason is here.
 */

const CUT_OUTPUT = 'the output of a program is cut to a few thousand characters before';
const OWN_SETTINGS = "the operator's own settings";

/** By file and expression: why its text is short, or why its author is trusted. */
const SHORT_TEXTS: Readonly<Record<string, string>> = {
  [String.raw`packages/runtime/src/executors/child-process/program-output.ts /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g`]:
    CUT_OUTPUT,
  [String.raw`packages/runtime/src/executors/child-process/program-output.ts /(?<=\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi`]:
    CUT_OUTPUT,
  [String.raw`packages/runtime/src/executors/child-process/program-output.ts /(?<=\b[\w-]*(?:key|token)["']?\s*[:=]\s*["']?)[^\s"',;]{8,}/gi`]:
    CUT_OUTPUT,
  [String.raw`packages/hub/src/handoff/evidence/reported-words.ts /(?<=(?<!\p{L})(?:password|passwd|passphrase|secret|token|api key|passwort|kennwort|contraseña|clave|senha|mot de passe|пароль|密码|パスワード)(?: (?:is|ist|es|é|est|lautet|for \S{1,40} is))?(?: ?[:：=] ?| (?=\S{0,40}\d)))[^\s,;]{4,}/giu`]:
    'the words of a report are cut to a few thousand characters before',
  [String.raw`packages/client/src/files/file-names.ts /[\s.]+$/`]: 'names are cut to 1,000 characters before',
  [String.raw`packages/client/src/tools/tool-error.ts /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]*[^\s"'<>)\].,;:!?]/gi`]:
    'messages are shortened before',
  [String.raw`packages/openclaw-outbound/src/base64.ts /=+$/`]:
    'at most two, as the expression before it has checked',
  [String.raw`packages/cli/src/config/json5-members.ts /^(?:\s|\/\/[^\n\r]*|\/\*[^]*?\*\/)*,/`]: OWN_SETTINGS,
  [String.raw`packages/cli/src/config/read-text.ts /:\/\/\S*@/g`]: OWN_SETTINGS,
  [String.raw`packages/cli/src/config/read-text.ts /:\/\/[^/@]*:\S*@|[?&]password=/i`]: OWN_SETTINGS,
};

interface Expression {
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
  readonly flags: string;
}

/** The literals in a syntax tree. */
function* literalsIn(node: unknown): Generator<{ pattern: string; flags: string; start: number }> {
  if (Array.isArray(node)) {
    for (const each of node) yield* literalsIn(each);
  } else if (typeof node === 'object' && node !== null) {
    const regex: unknown = Reflect.get(node, 'regex');
    const start: unknown = Reflect.get(node, 'start');
    if (typeof regex === 'object' && regex !== null && typeof start === 'number') {
      yield { ...(regex as { pattern: string; flags: string }), start };
    }
    for (const value of Object.values(node)) yield* literalsIn(value);
  }
}

async function expressions(): Promise<Expression[]> {
  return (await readSources()).flatMap(({ path, text }) =>
    Array.from(
      literalsIn(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path)),
      ({ pattern, flags, start }) => ({
        file: path,
        line: text.slice(0, start).split('\n').length,
        pattern,
        flags,
      }),
    ),
  );
}

/** Characters that an expression may be slow for: its own, and one of each common class. */
const CLASSES = [
  'a',
  'A',
  '0',
  ' ',
  '\t',
  '\n',
  '_',
  '-',
  '.',
  '/',
  '\\',
  '"',
  ':',
  '=',
  '@',
  '(',
  '[',
  '{',
  '<',
  'é',
];
const FOREIGN = ['', '\u0000', '!'];

/** Pieces of text that an expression says something about. */
function piecesOf({ pattern }: Expression): string[] {
  const plain = pattern.replaceAll(/\\[dDwWsSbB]|\\[pP]\{[^}]*\}|[()[\]{}?*+|^$]/g, ' ').replaceAll('\\', '');
  const words = plain.split(/\s+/).filter((word) => word !== '' && word.length <= 20);
  return [...new Set([...CLASSES, ...Array.from(plain.replaceAll(' ', '')), ...words])];
}

/** Texts of about n characters in the shapes that make expressions slow: a prefix, a repetition, and an end that does not match. */
function* textsFor(expression: Expression, n: number): Generator<string> {
  const pieces = piecesOf(expression);
  const words = pieces.filter((piece) => piece.length > 1);
  for (const piece of pieces) {
    const repeated = piece.repeat(Math.ceil(n / piece.length));
    for (const end of FOREIGN) yield `${repeated}${end}`;
    for (const word of words) yield `${word}${repeated}!`;
  }
  for (const word of words) {
    for (const piece of CLASSES) {
      const pair = `${word}${piece}`;
      yield `${pair.repeat(Math.ceil(n / pair.length))}!`;
    }
  }
}

function microsecondsOf(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}

function fastest(work: () => void): number {
  return Math.min(microsecondsOf(work), microsecondsOf(work), microsecondsOf(work));
}

/** All that product code does with an expression: the first match, and every match. */
function tried({ pattern, flags }: Expression): (text: string) => void {
  const once = new RegExp(pattern, flags.replaceAll(/[gy]/g, ''));
  const all = new RegExp(pattern, `${flags.replaceAll(/[gy]/g, '')}g`);
  const sticky = flags.includes('y') ? new RegExp(pattern, flags) : undefined;
  return (text) => {
    once.test(text);
    if (flags.includes('g')) text.replaceAll(all, '');
    if (sticky !== undefined) {
      sticky.lastIndex = 0;
      sticky.test(text);
    }
  };
}

const SHORT = 3_000;
/** Linear work takes four times as long for four times the text, quadratic work sixteen times. */
const MAX_GROWTH = 9;
/** Faster than this, a text four times as long cannot hurt. */
const HARMLESS_MICROSECONDS = 10_000;

/** The text for which an expression takes more than linear time, if there is one. */
function slowText(expression: Expression): string | undefined {
  const run = tried(expression);
  const long = textsFor(expression, 4 * SHORT);
  for (const short of textsFor(expression, SHORT)) {
    const text: string = long.next().value;
    if (microsecondsOf(() => run(text)) < HARMLESS_MICROSECONDS) continue;
    const growth =
      fastest(() => run(text)) /
      Math.max(
        100,
        fastest(() => run(short)),
      );
    if (growth > MAX_GROWTH) return text;
  }
  return undefined;
}

function slowTextFor({ source, flags }: RegExp): string | undefined {
  return slowText({ file: '', line: 0, pattern: source, flags });
}

function keyOf({ file, pattern, flags }: Expression): string {
  return `${file} /${pattern}/${flags}`;
}

test('no regular expression takes more than linear time', { timeout: 600_000 }, async () => {
  const all = await expressions();
  expect(all.length).toBeGreaterThan(100);
  const slow = all
    .filter((expression) => SHORT_TEXTS[keyOf(expression)] === undefined)
    .flatMap((expression) => {
      const text = slowText(expression);
      return text === undefined
        ? []
        : [`${keyOf(expression)} line ${expression.line}: ${JSON.stringify(text.slice(0, 12))}`];
    });
  expect(slow).toEqual([]);
});

test('every exception is an expression that exists', async () => {
  const known = new Set((await expressions()).map(keyOf));
  expect(Object.keys(SHORT_TEXTS).filter((key) => !known.has(key))).toEqual([]);
});

test('finds expressions that take quadratic time', { timeout: 600_000 }, () => {
  expect(slowTextFor(/[\s.]+$/)).toBeDefined();
  expect(slowTextFor(/\/+$/)).toBeDefined();
  expect(slowTextFor(/:\/\/\S*@/g)).toBeDefined();
  expect(slowTextFor(/^[\s.]+/)).toBeUndefined();
  expect(slowTextFor(/^(?:[a-z0-9]+\.)*[a-z]+$/)).toBeUndefined();
});
