import { z } from 'zod';

/** A JSON object with arbitrary content: metadata, structured data. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());
/** A JSON object with arbitrary content. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object without fields that are undefined or null. */
export function withoutAbsent(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** Maps the elements of an array; any other value is returned for the schema to reject. */
export function mapEach(value: unknown, map: (element: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(map) : value;
}

/** The value if it is an object, otherwise an object without fields: the schema then reports what is missing. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

const MAX_INVALID_ITEMS = 20;

const ITEM_SCHEMAS = new WeakMap<object, z.ZodType>();

/** The schema of the items of a list made by `listOf`. */
export function itemSchemaOf(listSchema: object): z.ZodType | undefined {
  return ITEM_SCHEMAS.get(listSchema);
}

/**
 * The schema of a list in a request. Validation stops after several invalid items: a long list of them would take seconds to
 * validate and megabytes to describe.
 */
export function listOf<Item>(itemSchema: z.ZodType<Item>, { atLeast = 0 } = {}) {
  const list = z
    .array(z.unknown())
    .min(atLeast)
    .transform((values, context): Item[] => {
      const items: Item[] = [];
      let invalid = 0;
      for (const [index, value] of values.entries()) {
        const { success, data, error } = itemSchema.safeParse(value);
        if (success) {
          items.push(data);
          continue;
        }
        for (const issue of error.issues) {
          context.issues.push({
            ...issue,
            path: [index, ...issue.path],
            input: value,
          } as z.core.$ZodRawIssue);
        }
        invalid += 1;
        if (invalid === MAX_INVALID_ITEMS) break;
      }
      return items;
    });
  ITEM_SCHEMAS.set(list, itemSchema);
  return list;
}

/**
 * Removes the named fields if they are empty strings, which in ProtoJSON is the same as omitting them: code behind the schemas
 * then sees one form of a missing field.
 */
export function withoutEmpty<Value extends object>(...fields: (keyof Value)[]): (value: Value) => Value {
  return (value) => {
    for (const field of fields) {
      if (value[field] === '') delete value[field];
    }
    return value;
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/**
 * Whether a JSON text is nested more deeply than `levels`. The parser accepts any depth, but code that walks or
 * serializes such a value overflows the stack. The result is meaningless for text that is not JSON.
 */
export function isDeeperThan(json: string, levels: number): boolean {
  return excessOf(json, { levels, values: Infinity }) === 'levels';
}

/**
 * Whether a JSON text has more than `values` values in all, however deep: each takes time and far more memory than its text. Empty
 * objects and arrays count twice.
 */
export function hasMoreValuesThan(json: string, values: number): boolean {
  // No value has less than a character.
  return json.length > values && excessOf(json, { levels: Infinity, values }) === 'values';
}

/** Which limit a JSON text exceeds first. */
function excessOf(
  json: string,
  limits: { readonly levels: number; readonly values: number },
): 'levels' | 'values' | undefined {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = endOfString(json, index);
    else if (code === COMMA) values += 1;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      if (depth > limits.levels) return 'levels';
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
    else continue;
    if (values > limits.values) return 'values';
  }
  return undefined;
}

/** The same for a value that was not read from JSON. */
export function isValueDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isValueDeeperThan(inner, levels - 1));
}

/** About how many characters the JSON of a value has, without writing it. */
export function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let total = 8;
  if (Array.isArray(value)) for (const item of value) total += 1 + charactersOf(item);
  else
    for (const name of Object.keys(value)) total += name.length + charactersOf((value as JsonObject)[name]);
  return total;
}

/** The position of the quotation mark that ends the string starting at `start`. */
function endOfString(json: string, start: number): number {
  const quote = json.indexOf('"', start + 1);
  if (quote === -1) return json.length;
  if (json.charCodeAt(quote - 1) !== BACKSLASH) return quote;
  // Most strings have no escaped quotation marks. In others there may be millions, and searching for each would take long.
  for (let index = start + 1; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === BACKSLASH) index += 1;
    else if (code === QUOTE) return index;
  }
  return json.length;
}

/*
 * Values that are too large for memory: a list or a text in them is read while it is written, piece by piece, so that an answer
 * costs what is being sent, not what the task has grown to. The codecs of other versions map lists and pass texts on; a lazy
 * list can be mapped, so they need not know it.
 */

/** A list whose items are read when it is written. It can be read once. */
export class LazyList<Item> implements AsyncIterable<Item> {
  readonly #items: AsyncIterable<Item>;

  constructor(items: AsyncIterable<Item>) {
    this.#items = items;
  }

  map<Other>(convert: (item: Item) => Other): LazyList<Other> {
    return new LazyList(mapped(this.#items, convert));
  }

  [Symbol.asyncIterator](): AsyncIterator<Item> {
    return this.#items[Symbol.asyncIterator]();
  }

  toJSON(): never {
    throw new Error('A lazy list has to be written with jsonPieces.');
  }
}

/** A text whose pieces are read when it is written. It can be read once. */
export class LazyText {
  readonly pieces: AsyncIterable<string>;

  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }

  toJSON(): never {
    throw new Error('A lazy text has to be written with jsonPieces.');
  }
}

async function* mapped<Item, Other>(
  items: AsyncIterable<Item>,
  convert: (item: Item) => Other,
): AsyncGenerator<Other> {
  for await (const item of items) yield convert(item);
}

/** Whether a value, a task in it or a task of its page has to be written with `jsonPieces`. */
export function isLazy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { artifacts, history, task, tasks } = value as Record<string, unknown>;
  if (artifacts instanceof LazyList || history instanceof LazyList) return true;
  return isLazy(task) || (Array.isArray(tasks) && tasks.some(isLazy));
}

/** What is longer is written in several pieces. */
const LONG_CHARACTERS = 64 * 1024;
/** On average; a list or an object of shorter ones is one piece, because a piece costs more than it. */
const SHORT_CHARACTERS = 1024;
/** From a page of tasks to the text of a part. Below, only texts and what is lazy are split. */
const MOST_LEVELS = 8;

/**
 * The JSON of a value, in pieces that take little time each, but for what consists of many small values: the data of a part is one
 * piece.
 */
export async function* jsonPieces(
  value: unknown,
  levels = MOST_LEVELS,
): AsyncGenerator<string, void, undefined> {
  if (value instanceof LazyText) {
    yield '"';
    for await (const piece of value.pieces) yield* textPieces(piece);
    yield '"';
  } else if (typeof value === 'string' && value.length > LONG_CHARACTERS) {
    yield '"';
    yield* textPieces(value);
    yield '"';
  } else if (value instanceof LazyList) {
    yield* listPieces(value, levels);
  } else if (!isSplit(value, levels)) {
    yield JSON.stringify(value);
  } else if (Array.isArray(value)) {
    yield* listPieces(value, levels);
  } else {
    let separator = '{';
    for (const [name, field] of Object.entries(value as object)) {
      if (field === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* jsonPieces(field, levels - 1);
      separator = ',';
    }
    yield '}';
  }
}

/** A text as it stands in a JSON string. No character of two code units is split: its halves alone would be escaped. */
function* textPieces(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + LONG_CHARACTERS, text.length);
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
}

function isHighSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdbff;
}

async function* listPieces(
  items: AsyncIterable<unknown> | readonly unknown[],
  levels: number,
): AsyncGenerator<string> {
  let separator = '[';
  for await (const item of items) {
    yield separator;
    yield* jsonPieces(item, levels - 1);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

function isSplit(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (holdsLazy(value)) return true;
  if (levels <= 0) return false;
  const characters = charactersOf(value);
  return characters > LONG_CHARACTERS && characters > SHORT_CHARACTERS * Object.keys(value).length;
}

/** The value with everything in memory. `count` is told the characters of each part before the next one is read; it may throw. */
export async function withoutLazy(value: unknown, count: (characters: number) => void): Promise<unknown> {
  if (value instanceof LazyText) {
    let text = '';
    for await (const piece of value.pieces) {
      count(piece.length);
      text += piece;
    }
    return text;
  }
  if (!holdsLazy(value)) {
    count(charactersOf(value));
    return value;
  }
  if (value instanceof LazyList || Array.isArray(value)) {
    const items: unknown[] = [];
    for await (const item of value) items.push(await withoutLazy(item, count));
    return items;
  }
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value as object))
    fields.push([name, await withoutLazy(field, count)]);
  return Object.fromEntries(fields);
}

function holdsLazy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof LazyList || value instanceof LazyText) return true;
  return Object.values(value).some(holdsLazy);
}
