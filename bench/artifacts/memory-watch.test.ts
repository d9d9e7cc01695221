import { expect, it } from 'vitest';
import { extraBytes } from './memory-watch.ts';

const BYTES = 128_000_000;

it('sees memory that work takes, also when it is gone at the end', async () => {
  const sums: number[] = [];
  const extra = await extraBytes(() => {
    // Written to: memory that nobody has written to is not there yet.
    for (let round = 0; round < 3; round += 1) sums.push(Buffer.alloc(BYTES, round + 1).at(-1) ?? 0);
  });
  expect(sums).toEqual([1, 2, 3]);
  expect(extra).toBeGreaterThan(BYTES * 0.8);
});
