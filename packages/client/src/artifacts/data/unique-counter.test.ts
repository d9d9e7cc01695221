import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint } from './fingerprint.ts';
import { SlotPool, UniqueCounter } from './unique-counter.ts';

describe('UniqueCounter', () => {
  it('counts exactly while there is room', () => {
    const counter = new UniqueCounter(new SlotPool(1 << 17));
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 50_000; index += 1) counter.add(fingerprint(`value ${index}`));
    }
    expect(counter.count).toBe(50_000);
    expect(counter.isExact).toBe(true);
  });

  it('estimates when there is none, a few hundredths off at the most', () => {
    const counter = new UniqueCounter(new SlotPool(1 << 13));
    for (let index = 0; index < 200_000; index += 1) counter.add(fingerprint(index));
    expect(counter.isExact).toBe(false);
    expect(Math.abs(counter.count / 200_000 - 1)).toBeLessThan(0.05);
  });
});

describe('fingerprint', () => {
  it('keeps numbers, texts and their nests apart', () => {
    const values = [
      '',
      '1',
      1,
      -1,
      0.5,
      true,
      false,
      null,
      [],
      [1],
      [[1]],
      ['1'],
      {},
      { a: 1 },
      { a: '1' },
      { b: 1 },
      [1, 2],
      [2, 1],
      'ab',
      'ba',
    ];
    expect(new Set(values.map((value) => fingerprint(value))).size).toBe(values.length);
  });

  it('is a whole number above 0, the same for equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const print = fingerprint(value);
        expect(Number.isSafeInteger(print) && print > 0).toBe(true);
        expect(fingerprint(structuredClone(value))).toBe(print);
      }),
    );
  });

  it('has hardly any collisions', () => {
    const prints = new Set<number>();
    for (let index = 0; index < 300_000; index += 1) {
      prints.add(fingerprint(index)).add(fingerprint(`id-${index}`));
    }
    expect(prints.size).toBe(600_000);
  });
});
