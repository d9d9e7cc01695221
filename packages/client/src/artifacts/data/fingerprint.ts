const LOW_FACTOR = 0x85ebca6b;
const HIGH_FACTOR = 0xc2b2ae35;
/** Values that differ only below this depth count as equal. */
const MAX_DEPTH = 100;

/** Salts, so that a string never equals a number or a list. */
const KIND = { constant: 1, number: 2, text: 3, list: 4, object: 5, field: 6 } as const;

const number = new Float64Array(1);
const words = new Int32Array(number.buffer);

/**
 * A 64-bit hash in two words, equal for equal JSON values and almost certainly different otherwise. Key order does not
 * matter. One object is reused for many values, to avoid millions of allocations.
 */
export class Fingerprint {
  low = 0;
  high = 0;

  take(value: unknown, depth = 0): void {
    if (typeof value === 'string') this.#takeText(value);
    else if (typeof value === 'number') this.#takeNumber(value);
    else if (typeof value === 'boolean') this.#spread(KIND.constant, value ? 1 : 2, 0);
    else if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH)
      this.#spread(KIND.constant, 3, 0);
    else if (Array.isArray(value)) this.#takeList(value, depth);
    else this.#takeObject(value, depth);
  }

  #takeText(text: string): void {
    let low = text.length;
    let high = ~text.length;
    const pairs = text.length - (text.length % 2);
    for (let index = 0; index < pairs; index += 2) {
      const pair = text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
      low = Math.imul(low ^ pair, LOW_FACTOR);
      low ^= low >>> 15;
      high = Math.imul(high ^ pair, HIGH_FACTOR);
      high ^= high >>> 13;
    }
    if (pairs < text.length) {
      low = Math.imul(low ^ text.charCodeAt(pairs), LOW_FACTOR);
      high = Math.imul(high ^ text.charCodeAt(pairs), HIGH_FACTOR);
    }
    this.#spread(KIND.text, low, high);
  }

  #takeNumber(value: number): void {
    // Adding 0 turns -0 into 0, as in JSON.
    number[0] = value + 0;
    this.#spread(KIND.number, words[0] ?? 0, words[1] ?? 0);
  }

  #takeList(list: readonly unknown[], depth: number): void {
    let low = list.length;
    let high = 0;
    for (const item of list) {
      this.take(item, depth + 1);
      low = Math.imul(low, LOW_FACTOR) ^ this.low;
      high = Math.imul(high, HIGH_FACTOR) ^ this.high;
    }
    this.#spread(KIND.list, low, high);
  }

  /** Sums are independent of the order. */
  #takeObject(object: object, depth: number): void {
    let low = 0;
    let high = 0;
    for (const [key, item] of Object.entries(object)) {
      if (item === undefined) continue;
      this.#takeText(key);
      const { low: keyLow, high: keyHigh } = this;
      this.take(item, depth + 1);
      this.#spread(
        KIND.field,
        Math.imul(keyLow, LOW_FACTOR) ^ this.low,
        Math.imul(keyHigh, HIGH_FACTOR) ^ this.high,
      );
      low = (low + this.low) | 0;
      high = (high + this.high) | 0;
    }
    this.#spread(KIND.object, low, high);
  }

  /** Mixes every bit into both words. */
  #spread(kind: number, low: number, high: number): void {
    let first = Math.imul(low ^ kind ^ (high >>> 16), LOW_FACTOR);
    let second = Math.imul(high ^ kind ^ (low >>> 16), HIGH_FACTOR);
    first = Math.imul(first ^ (second >>> 13), HIGH_FACTOR);
    second = Math.imul(second ^ (first >>> 16), LOW_FACTOR);
    this.low = first ^ (first >>> 15) ^ (second >>> 7);
    this.high = second ^ (second >>> 16);
  }
}
