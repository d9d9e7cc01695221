/** Deeper nesting is not counted, to bound the stack. */
const MAX_DEPTH = 1_000;
/** Quotes, backslashes, control characters and surrogates. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/v;

/**
 * The length of a value as JSON with an indent of two. Counts without building the string, and returns Infinity as soon as
 * it exceeds `limit`, so that the cost depends on the limit, not on the value.
 */
export function prettyJsonLength(value: unknown, limit = Infinity): number {
  return new Ruler(limit, 2).measure(value);
}

/** The length of a value as compact JSON; see {@link prettyJsonLength}. */
export function compactJsonLength(value: unknown, limit = Infinity): number {
  return new Ruler(limit, 0).measure(value);
}

/** The length of a value for a reader: strings as they are, everything else as JSON with an indent of two. */
export function readableLength(value: unknown, limit = Infinity): number {
  if (typeof value === 'string') return value.length <= limit ? value.length : Infinity;
  return prettyJsonLength(value, limit);
}

class Ruler {
  readonly #limit: number;
  readonly #indent: number;
  #length = 0;

  constructor(limit: number, indent: number) {
    this.#limit = limit;
    this.#indent = indent;
  }

  measure(value: unknown): number {
    this.#count(value, 0);
    return this.#length <= this.#limit ? this.#length : Infinity;
  }

  #count(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#countString(value);
    else if (typeof value !== 'object' || value === null)
      this.#length += isPrintable(value) ? `${value}`.length : 4;
    else if (depth >= MAX_DEPTH) this.#length += 2;
    else if (Array.isArray(value)) this.#countList(value, depth);
    else this.#countObject(value, depth);
  }

  #countString(value: string): void {
    const plain = value.length + 2;
    // A string that exceeds the limit anyway is not searched for characters to escape.
    const isPlain = this.#length + plain > this.#limit || !ESCAPED.test(value);
    this.#length += isPlain ? plain : JSON.stringify(value).length;
  }

  #countList(list: readonly unknown[], depth: number): void {
    for (const item of list) {
      if (this.#length > this.#limit) return;
      this.#countSpaceBefore(depth);
      this.#count(item, depth + 1);
    }
    this.#countBrackets(list.length, depth);
  }

  #countObject(object: object, depth: number): void {
    let fields = 0;
    for (const key in object) {
      if (this.#length > this.#limit) return;
      const item: unknown = Object.hasOwn(object, key) ? Reflect.get(object, key) : undefined;
      if (item === undefined) continue;
      this.#countSpaceBefore(depth);
      this.#countString(key);
      this.#length += this.#indent === 0 ? 1 : 2;
      this.#count(item, depth + 1);
      fields += 1;
    }
    this.#countBrackets(fields, depth);
  }

  #countSpaceBefore(depth: number): void {
    if (this.#indent > 0) this.#length += 1 + this.#indent * (depth + 1);
  }

  /** Counts the brackets and the commas between the items. */
  #countBrackets(items: number, depth: number): void {
    this.#length += 2 + Math.max(0, items - 1);
    if (items > 0 && this.#indent > 0) this.#length += 1 + this.#indent * depth;
  }
}

function isPrintable(value: unknown): value is boolean | number {
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}
