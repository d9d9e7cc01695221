import { A2AError } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { retryPause } from './retry-pause.ts';

test.each([
  [0, 50, 100],
  [3, 400, 800],
  [20, 2_500, 5_000],
])('attempt %i waits between %i and %i ms', (attempt, least, most) => {
  for (let time = 0; time < 50; time += 1) {
    expect(retryPause(attempt)).toBeGreaterThanOrEqual(least);
    expect(retryPause(attempt)).toBeLessThanOrEqual(most);
  }
});

test('respects the retry time that the agent sends', () => {
  expect(retryPause(0, new A2AError('RESOURCE_EXHAUSTED', 'later', { retryAfterSeconds: 3 }))).toBe(3_000);
});
