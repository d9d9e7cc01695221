import { isObject } from '@holdword/protocol/internal';
import { fieldNamed } from './foreign-names.ts';
import { countOf, listNames } from './shorten.ts';

/** A field name, an array index (from the end if negative), or a wildcard for all children. */
type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'every' };

const BRACKET = /\[(?:(-?\d+)|(\*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))\]/y;
const PIECE = /(?:\["(?:[^"\\]|\\.)*"\]|\['(?:[^'\\]|\\.)*'\]|[^.])*/y;
const PLAIN_NAME = /^[^.[\]"*$]+$/;

/** Appends a field to a path, in the syntax of `selectByPath`. */
export function childPath(parent: string, name: string): string {
  if (!PLAIN_NAME.test(name)) return `${parent}[${JSON.stringify(name)}]`;
  return parent === '' ? name : `${parent}.${name}`;
}

/**
 * Selects the value at a path. Names are separated by dots; `[2]` and `[-1]` are array indexes, `*` and `[*]` match all
 * children, `["a.b"]` or `['a.b']` is a name with special characters. A field whose name is exactly the text between two dots takes
 * precedence. Throws if nothing is found, and lists what there is.
 */
export function selectByPath(data: unknown, path: string): unknown {
  let found: readonly unknown[] = [data];
  let isMany = false;
  let walked = '';
  for (const piece of splitPath(path)) {
    for (const step of isFieldOfAny(found, piece) ? [fieldStep(piece)] : parsePiece(piece, path)) {
      const next = found.flatMap((value) => takeStep(value, step));
      isMany ||= step.kind === 'every';
      if (next.length === 0 && !mayBeEmpty(found, step)) throw nothingThere(step, found, walked);
      found = next;
      walked = walkedPath(walked, step);
    }
  }
  return isMany ? found : found[0];
}

/** Splits at dots outside quotes; a leading `$` stands for the root. */
function splitPath(path: string): string[] {
  const rest = path.replace(/^\$(?=$|[.[])\.?/, '');
  if (rest === '') return [];
  const pieces: string[] = [];
  for (let at = 0; at <= rest.length; at = PIECE.lastIndex + 1) {
    PIECE.lastIndex = at;
    pieces.push(PIECE.exec(rest)?.[0] ?? '');
  }
  return pieces;
}

function parsePiece(piece: string, path: string): PathStep[] {
  const bracket = piece.indexOf('[');
  const name = bracket === -1 ? piece : piece.slice(0, bracket);
  if (piece === '') throw invalidPath(path, 'because a name is missing before or after a dot');
  const steps: PathStep[] = [];
  if (name !== '') steps.push(name === '*' ? { kind: 'every' } : fieldStep(name));
  BRACKET.lastIndex = name.length;
  while (BRACKET.lastIndex < piece.length) {
    const match = BRACKET.exec(piece);
    if (match === null) {
      throw invalidPath(path, `at "${piece}"`);
    }
    const [, index, every, quoted] = match;
    if (index !== undefined) steps.push({ kind: 'index', index: Number(index) });
    else if (every !== undefined) steps.push({ kind: 'every' });
    else steps.push(fieldStep(unquoted(quoted ?? '""', path)));
  }
  return steps;
}

/** What is written differently in single quotes and in JSON. */
const OWN_ESCAPES: Readonly<Record<string, string>> = { "\\'": "'", '"': '\\"' };

/** The name in quotes. Single quotes work like double ones, as in JSONPath. */
function unquoted(quoted: string, path: string): string {
  const json = quoted.startsWith("'")
    ? `"${quoted.slice(1, -1).replaceAll(/\\.|"/gs, (each) => OWN_ESCAPES[each] ?? each)}"`
    : quoted;
  try {
    return String(JSON.parse(json));
  } catch {
    throw invalidPath(path, `at ${quoted}, because a backslash must escape what JSON allows`);
  }
}

function invalidPath(path: string, why: string): Error {
  return new Error(
    `Invalid path "${path}" ${why}. Use names separated by dots, and in brackets a number, * or a name in quotes, ` +
      'for example results.items[0].name or items[*]["full name"].',
  );
}

function fieldStep(name: string): PathStep {
  return { kind: 'field', name };
}

function isFieldOfAny(values: readonly unknown[], name: string): boolean {
  return values.some((value) => isObject(value) && nameIn(value, name) !== undefined);
}

function nameIn(value: object, name: string): string | undefined {
  return fieldNamed(name, (each) => Object.hasOwn(value, each));
}

function takeStep(value: unknown, step: PathStep): readonly unknown[] {
  if (step.kind === 'every') {
    if (Array.isArray(value)) return value;
    return isObject(value) ? Object.values(value) : [];
  }
  if (isObject(value)) {
    const name = nameIn(value, step.kind === 'field' ? step.name : `${step.index}`);
    return name === undefined ? [] : [value[name]];
  }
  if (!Array.isArray(value)) return [];
  const index =
    step.kind === 'index' ? step.index : /^-?\d+$/.test(step.name) ? Number(step.name) : Number.NaN;
  const position = index < 0 ? value.length + index : index;
  return position >= 0 && position < value.length ? [value[position]] : [];
}

/** All children of an empty value are an empty result, and so is everything below. */
function mayBeEmpty(found: readonly unknown[], step: PathStep): boolean {
  if (found.length === 0) return true;
  return step.kind === 'every' && found.every((value) => typeof value === 'object' && value !== null);
}

function walkedPath(walked: string, step: PathStep): string {
  if (step.kind === 'field') return childPath(walked, step.name);
  return `${walked}[${step.kind === 'index' ? step.index : '*'}]`;
}

function nothingThere(step: PathStep, found: readonly unknown[], walked: string): Error {
  const wanted =
    step.kind === 'field'
      ? `Field "${step.name}"`
      : step.kind === 'index'
        ? `Item [${step.index}]`
        : 'Anything';
  const where = walked === '' ? 'in the data' : `in "${walked}"`;
  return new Error(`${wanted} not found ${where}: ${describe(found[0])}`);
}

/** Describes how a path could continue. */
function describe(value: unknown): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'it is an empty list.';
    const last = value.length - 1;
    const one = last === 0 ? 'Select it with [0]' : `Select one with [0] to [${last}], all with [*]`;
    return `it is a list of ${countOf(value.length, 'item')}. ${one}, or use rows.`;
  }
  if (!isObject(value)) return 'it is a single value, not an object or a list.';
  const names = Object.keys(value);
  return names.length === 0 ? 'it has no fields.' : `its fields are ${listNames(names)}.`;
}
