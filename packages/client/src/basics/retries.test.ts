import { A2AError } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import { retryDelay } from './retries.ts';

describe('the delay before a retry', () => {
  test.each([
    [0, 50, 100],
    [3, 400, 800],
    [20, 2_500, 5_000],
  ])('is, after %i failures, between %i and %i ms', (failures, least, most) => {
    for (let time = 0; time < 50; time += 1) {
      expect(retryDelay(failures)).toBeGreaterThanOrEqual(least);
      expect(retryDelay(failures)).toBeLessThanOrEqual(most);
    }
  });

  test('is at least what the agent asks for', () => {
    const error = new A2AError('RESOURCE_EXHAUSTED', 'later', { retryAfterSeconds: 3 });
    expect(retryDelay(0, error)).toBeGreaterThanOrEqual(3_000);
    expect(retryDelay(0, error)).toBeLessThanOrEqual(3_100);
  });

  test('is longer if the agent is overloaded and does not say for how long', () => {
    const error = new A2AError('RESOURCE_EXHAUSTED', 'later');
    expect(retryDelay(0, error)).toBeGreaterThanOrEqual(500);
    expect(retryDelay(20, error)).toBeGreaterThanOrEqual(15_000);
    expect(retryDelay(20, error)).toBeLessThanOrEqual(30_000);
  });
});
