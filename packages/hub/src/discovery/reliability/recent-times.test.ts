import { expect, test } from 'vitest';
import { RecentTimes } from './recent-times.ts';

test('computes percentiles of the newest durations', () => {
  const times = new RecentTimes(100);
  expect(times.percentiles([0.5])).toEqual([null]);
  for (let time = 1; time <= 250; time += 1) times.record(time);
  expect(times.count).toBe(100);
  expect(times.percentiles([0, 0.5, 0.95, 1])).toEqual([151, 200, 245, 250]);
});

test('a single duration is every percentile', () => {
  const times = new RecentTimes(4);
  times.record(7);
  expect(times.percentiles([0.5, 0.99])).toEqual([7, 7]);
});
