import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { RotatingMap } from './rotating-map.ts';

it('contains what a plain map contains, however often it rotates', () => {
  const key = fc.integer({ min: 0, max: 40 });
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('set' as const), key, value: fc.nat() }) },
    fc.record({ kind: fc.constant('delete' as const), key, value: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 1_500, maxLength: 2_500, size: 'max' }), (steps) => {
      const passing = new RotatingMap<number, number>();
      const plain = new Map<number, number>();
      for (const { kind, key: at, value } of steps) {
        if (kind === 'set') {
          passing.set(at, value);
          plain.set(at, value);
        } else {
          expect(passing.delete(at)).toBe(plain.delete(at));
        }
        expect(passing.get(at)).toBe(plain.get(at));
        expect(passing.has(at)).toBe(plain.has(at));
      }
      expect(passing.size).toBe(plain.size);
      expect(passing.keys()).toEqual([...plain.keys()]);
      expect(passing.values()).toEqual([...plain.values()]);
    }),
    { numRuns: 20 },
  );
});

it('keeps thousands of entries across rotations', () => {
  const passing = new RotatingMap<number, string>();
  for (let each = 0; each < 5_000; each += 1) passing.set(each, String(each));
  expect(passing.size).toBe(5_000);
  expect(passing.get(0)).toBe('0');
  expect(passing.get(4_999)).toBe('4999');
});

it('returns copies that later changes do not affect', () => {
  const passing = new RotatingMap<string, number>();
  passing.set('a', 1);
  const keys = passing.keys();
  passing.delete('a');
  expect(keys).toEqual(['a']);
});
