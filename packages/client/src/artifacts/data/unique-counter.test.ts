import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fingerprint } from './fingerprint.ts';
import { SlotPool, UniqueCounter } from './unique-counter.ts';

describe('UniqueCounter', () => {
  it('counts exactly while the values fit', () => {
    const counter = new UniqueCounter(new SlotPool(1 << 17));
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 50_000; index += 1) counter.add(printOf(`value ${index}`));
    }
    expect(counter.count).toBe(50_000);
    expect(counter.isExact).toBe(true);
  });

  it('estimates within a few percent if they do not fit', () => {
    const counter = new UniqueCounter(new SlotPool(1 << 13));
    for (let index = 0; index < 200_000; index += 1) counter.add(printOf(index));
    expect(counter.isExact).toBe(false);
    expect(Math.abs(counter.count / 200_000 - 1)).toBeLessThan(0.05);
  });
});

describe('Fingerprint', () => {
  it('distinguishes numbers, strings and nested values', () => {
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
    expect(new Set(values.map(keyOf)).size).toBe(values.length);
  });

  it('is equal for equal values, independent of key order', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).toReversed());
        expect(keyOf(structuredClone(turned))).toBe(keyOf(value));
      }),
    );
  });

  it('has no collisions among many similar values', () => {
    const prints = new Set<string>();
    for (let index = 0; index < 100_000; index += 1) {
      prints
        .add(keyOf(index))
        .add(keyOf(`id-${index}`))
        .add(keyOf([index]))
        .add(keyOf({ id: index }));
    }
    expect(prints.size).toBe(400_000);
  });
});

function printOf(value: unknown): Fingerprint {
  const print = new Fingerprint();
  print.take(value);
  return print;
}

function keyOf(value: unknown): string {
  const { low, high } = printOf(value);
  return `${low},${high}`;
}
