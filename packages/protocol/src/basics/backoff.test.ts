import { expect, it } from 'vitest';
import { backoffDelay } from './backoff.ts';

const options = { firstMilliseconds: 100, longestMilliseconds: 5_000 };
const lowest = (): number => 0;
const highest = (): number => 1;

it('doubles with each failure, up to the longest', () => {
  expect([0, 1, 2, 3].map((failures) => backoffDelay(failures, options, highest))).toEqual([
    100, 200, 400, 800,
  ]);
  expect(backoffDelay(1_000_000, options, highest)).toBe(5_000);
});

it('waits at least half of the bound', () => {
  expect(backoffDelay(2, options, lowest)).toBe(200);
});

it('never waits less than the other side asked for', () => {
  expect(backoffDelay(0, { ...options, askedMilliseconds: 30_000 }, lowest)).toBe(30_000);
  expect(backoffDelay(0, { ...options, askedMilliseconds: 30_000 }, highest)).toBe(30_100);
});

it('waits no more than an hour for what the other side asked for', () => {
  expect(backoffDelay(0, { ...options, askedMilliseconds: Infinity }, lowest)).toBe(3_600_000);
});

it('ignores a time that is already over', () => {
  expect(backoffDelay(0, { ...options, askedMilliseconds: -5 }, lowest)).toBe(50);
});
