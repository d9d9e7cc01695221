import { expect, test } from 'vitest';
import { retryDelay } from './retry-delay.ts';

const limits = { longestMilliseconds: 300_000 };

test('the bound doubles with each failure, up to the longest', () => {
  const most = [1, 2, 3, 1_000].map((attempts) => retryDelay(attempts, limits, () => 1));
  expect(most).toEqual([1_000, 2_000, 4_000, 300_000]);
});

test('the whole time up to the bound is used', () => {
  expect(retryDelay(3, limits, () => 0)).toBe(0);
  expect(retryDelay(3, limits, () => 0.5)).toBe(2_000);
});

function asking(askedMilliseconds: number): number {
  return retryDelay(1, { ...limits, askedMilliseconds }, () => 0);
}

test('waits at least as long as the receiver asked, but not for days', () => {
  expect(asking(7_000)).toBe(7_000);
  expect(asking(7 * 24 * 3_600_000)).toBe(3_600_000);
});
