const LOW_SEED = 0x2c1b3c6d;
const HIGH_SEED = 0x297a2d39;
const LOW_FACTOR = 0x85ebca6b;
const HIGH_FACTOR = 0xc2b2ae35;
const WORD = 2 ** 32;
/** The number has to stay a whole one: 32 low bits and 20 high ones. */
const HIGH_MASK = 0xfffff;
/** Values that differ only below this depth count as the same one. */
const MAX_DEPTH = 100;

const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);

/**
 * A whole number of 52 bits, above 0, that is the same for equal JSON values and, as good as certainly, another one for
 * others. The order of an object's keys does not matter.
 */
export function fingerprint(value: unknown, depth = 0): number {
  if (typeof value === 'string') return ofText(value);
  if (typeof value === 'number') return ofNumber(value);
  if (typeof value === 'boolean') return value ? 1 : 2;
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return 3;
  return Array.isArray(value) ? ofList(value, depth) : ofObject(value, depth);
}

function ofNumber(value: number): number {
  // Adding 0 makes -0 the same as 0, as it is in JSON.
  number[0] = value + 0;
  return combine(3, words[0] ?? 0, words[1] ?? 0);
}

function ofText(text: string): number {
  let low = LOW_SEED ^ text.length;
  let high = HIGH_SEED;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, LOW_FACTOR);
    high = Math.imul(high ^ code, HIGH_FACTOR) ^ (low >>> 15);
  }
  return combine(5, low, high);
}

function ofList(list: readonly unknown[], depth: number): number {
  let result = combine(7, list.length, 0);
  for (const item of list) result = mix(result, fingerprint(item, depth + 1));
  return result;
}

function ofObject(object: object, depth: number): number {
  let low = 0;
  let high = 0;
  for (const [key, item] of Object.entries(object)) {
    if (item === undefined) continue;
    const field = mix(ofText(key), fingerprint(item, depth + 1));
    low = (low + lowWord(field)) | 0;
    high = (high + highWord(field)) | 0;
  }
  return combine(11, low, high);
}

function mix(one: number, other: number): number {
  return combine(
    13,
    Math.imul(lowWord(one), LOW_FACTOR) ^ lowWord(other),
    Math.imul(highWord(one), HIGH_FACTOR) ^ highWord(other),
  );
}

/** Spreads every bit of the input over the whole number. */
function combine(kind: number, low: number, high: number): number {
  let first = low ^ Math.imul(high, LOW_FACTOR) ^ kind;
  let second = high ^ Math.imul(low, HIGH_FACTOR) ^ kind;
  first = Math.imul(first ^ (first >>> 16), LOW_FACTOR) ^ Math.imul(second ^ (second >>> 13), HIGH_FACTOR);
  second = Math.imul(second ^ (second >>> 16), LOW_FACTOR) ^ Math.imul(first ^ (first >>> 13), HIGH_FACTOR);
  first ^= first >>> 16;
  return ((second ^ (second >>> 16)) & HIGH_MASK) * WORD + (first >>> 0) || 1;
}

export function lowWord(print: number): number {
  return print >>> 0;
}

export function highWord(print: number): number {
  return (print / WORD) | 0;
}
