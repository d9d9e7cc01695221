import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-card.ts';

/** A seeded random generator, so that failures can be reproduced. */
function randomizer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomValue(random: () => number, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 0 ? 7 : 5));
  switch (kind) {
    case 0:
      return null;
    case 1:
      return random() < 0.5;
    case 2:
      return (random() - 0.5) * 10 ** Math.floor(random() * 60 - 30);
    case 3:
      return randomText(random);
    case 4:
      return Math.floor(random() * 1000);
    case 5:
      return Array.from({ length: Math.floor(random() * 4) }, () => randomValue(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: Math.floor(random() * 6) }, () => [
          randomText(random),
          randomValue(random, depth - 1),
        ]),
      );
  }
}

function randomText(random: () => number): string {
  const points = ['a', 'Z', '"', '\\', '\n', '\u0007', '€', 'ö', '😀', '\u2028', '\ue000', '0', '/'];
  return Array.from(
    { length: Math.floor(random() * 5) },
    () => points[Math.floor(random() * points.length)],
  ).join('');
}

function shuffled(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((element) => shuffled(element, random));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => ({ name, member, order: random() }));
  return Object.fromEntries(
    members
      .toSorted((left, right) => left.order - right.order)
      .map(({ name, member }) => [name, shuffled(member, random)]),
  );
}

describe('canonicalJson', () => {
  it('writes the example of RFC 8785, section 3.2.3', () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts names by UTF-16 code units, as the example of section 3.2.3 does', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const object = Object.fromEntries(names.map((name) => [name, 0]));
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    expect(canonicalJson(object)).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`);
  });

  it.each([
    [0, '0'],
    [-0, '0'],
    [1e21, '1e+21'],
    [1e20, '100000000000000000000'],
    [1e-7, '1e-7'],
    [0.000001, '0.000001'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740994, '9007199254740994'],
    [-1.5, '-1.5'],
  ])('writes the number %d as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('omits undefined values', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, 1n, '\ud800', { '\udfff': 1 }, [undefined]])(
    'rejects values that are not JSON: %#',
    (value) => {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    },
  );

  it('preserves the value, ignores the order of names and is idempotent', () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const random = randomizer(seed);
      const value = randomValue(random, 4);
      const text = canonicalJson(value);
      expect(JSON.parse(text), `seed ${seed}`).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(shuffled(value, random)), `seed ${seed}`).toBe(text);
      expect(canonicalJson(JSON.parse(text)), `seed ${seed}`).toBe(text);
    }
  });
});
