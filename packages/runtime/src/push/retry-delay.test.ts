import { expect, test } from 'vitest';
import { retryDelay } from './retry-delay.ts';

const most = (attempts: number, asked?: number): number => retryDelay(attempts, asked, () => 1);

test('the bound doubles with each failure, up to five minutes', () => {
  expect([1, 2, 3].map((attempts) => most(attempts))).toEqual([1_000, 2_000, 4_000]);
  expect(most(1_000)).toBe(300_000);
});

test('all of the time up to the bound is used', () => {
  expect(retryDelay(3, 0, () => 0)).toBe(0);
  expect(retryDelay(3, 0, () => 0.5)).toBe(2_000);
});

test('what the receiver asked for is waited at least, but not for days', () => {
  expect(retryDelay(1, 7_000, () => 0)).toBe(7_000);
  expect(retryDelay(1, 7 * 24 * 3_600_000, () => 0)).toBe(3_600_000);
});
