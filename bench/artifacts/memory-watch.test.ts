import { expect, it } from 'vitest';
import { extraBytes } from './memory-watch.ts';

const BYTES = 128_000_000;

it('detects memory used by the work, even if it is released at the end', async () => {
  const sums: number[] = [];
  const extra = await extraBytes(() => {
    // Fill it: memory that was never written to is not resident.
    for (let round = 0; round < 3; round += 1) sums.push(Buffer.alloc(BYTES, round + 1).at(-1) ?? 0);
  });
  expect(sums).toEqual([1, 2, 3]);
  expect(extra).toBeGreaterThan(BYTES * 0.8);
});
