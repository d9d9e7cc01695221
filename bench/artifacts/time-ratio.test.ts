import { expect, it } from 'vitest';
import { timeRatio } from './time-ratio.ts';

it('compares the work with writing the value as JSON', () => {
  const value = Array.from({ length: 20_000 }, (_, index) => ({ index }));
  let rounds = 0;
  const result = timeRatio(5, value, () => {
    rounds += 1;
    for (let time = 0; time < 10; time += 1) JSON.stringify(value);
  });
  expect(rounds).toBe(5);
  expect(result.ratio).toBeGreaterThan(2);
  expect(result.ratio).toBe(result.milliseconds / result.stringifyMilliseconds);
});
