import { expect, test } from 'vitest';
import { pollMilliseconds } from './task-methods.ts';

test.each([
  [0, 500],
  [5_000, 500],
  [60_000, 6_000],
  [3_600_000, 30_000],
])('a task of %d ms is polled every %d ms', (age, interval) => {
  expect(pollMilliseconds(age)).toBe(interval);
});
