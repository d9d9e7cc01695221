import type { Random } from '../random.ts';

type Json = unknown;

/** Values that are invalid almost everywhere, and some that have broken parsers before. */
const HOSTILE: readonly ((random: Random) => Json)[] = [
  () => null,
  () => true,
  () => -1,
  () => 1e308,
  () => 2 ** 60,
  () => 0.1,
  () => '',
  () => '\u0000',
  () => '\uD800',
  () => '../../etc/passwd',
  () => '%00%ff',
  () => [],
  () => ({}),
  () => [[[]]],
  (random) => 'x'.repeat(random.pick([256, 4_096, 70_000])),
  (random) => nested(random.pick([20, 200, 2_000])),
  () => ({ constructor: { prototype: { polluted: true } } }),
  () => Object.fromEntries([['__proto__', { polluted: true }]]),
  () => ({ toString: 1, hasOwnProperty: 1, toJSON: 1, length: -1 }),
  () => Array.from({ length: 500 }, (_, index) => index),
];

const HOSTILE_KEYS = ['__proto__', 'constructor', 'toJSON', 'then', '', '\u0000', '$case', 'x'.repeat(300)];

/** A copy with one to three changes: replaced, removed, renamed, doubled or wrapped. */
export function mutateJson(value: Json, random: Random): Json {
  let mutated: Json = structuredClone(value);
  for (let left = random.integer(1, 3); left > 0; left -= 1) mutated = mutateOnce(mutated, random);
  return mutated;
}

export function hostileValue(random: Random): Json {
  return random.pick(HOSTILE)(random);
}

function mutateOnce(value: Json, random: Random): Json {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return hostileValue(random);
  if (Array.isArray(value)) return mutateArray(value, random);
  const entries = Object.entries(value);
  const index = random.integer(0, entries.length);
  const [key, inner] = entries[index] ?? [random.pick(HOSTILE_KEYS), hostileValue(random)];
  switch (random.integer(0, 5)) {
    case 0:
      return Object.fromEntries(entries.filter(([name]) => name !== key));
    case 1:
      return Object.fromEntries([...entries, [random.pick(HOSTILE_KEYS), inner]]);
    case 2:
      return Object.fromEntries([...entries, [key, hostileValue(random)]]);
    case 3:
      return Object.fromEntries([...entries, [key, [inner]]]);
    default:
      return Object.fromEntries([...entries, [key, mutateOnce(inner, random)]]);
  }
}

function mutateArray(items: readonly Json[], random: Random): Json {
  const index = random.integer(0, Math.max(0, items.length - 1));
  if (items.length === 0 || random.chance(0.2)) return [...items, hostileValue(random)];
  if (random.chance(0.2)) return items.toSpliced(index, 1);
  return items.with(index, mutateOnce(items[index], random));
}

function nested(depth: number): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
