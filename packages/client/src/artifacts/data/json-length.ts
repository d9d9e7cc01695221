/** Nobody reads what is nested deeper, and counting it would need a deep stack. */
const MAX_DEPTH = 1_000;
/** Quotes, backslashes, controls and what may be half of a character. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/v;

/**
 * How many characters a value has as JSON with an indent of two, or as compact JSON. Counts without building the text,
 * and gives up with Infinity as soon as there are more than `limit`: what it costs depends on the limit, not on the value.
 */
export function prettyJsonLength(value: unknown, limit = Infinity): number {
  return new Ruler(limit, 2).measure(value);
}

export function compactJsonLength(value: unknown, limit = Infinity): number {
  return new Ruler(limit, 0).measure(value);
}

/** How long a value is for a reader: texts as they are, everything else as JSON with an indent of two. */
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
    // A text that is too long anyway is not worth looking for characters that need an escape.
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

  /** And the commas between what is inside them. */
  #countBrackets(items: number, depth: number): void {
    this.#length += 2 + Math.max(0, items - 1);
    if (items > 0 && this.#indent > 0) this.#length += 1 + this.#indent * depth;
  }
}

function isPrintable(value: unknown): value is boolean | number {
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}
