import { A2AError } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import { retryDelay, TimeLimit } from './time-limit.ts';

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
});

describe('a time limit', () => {
  test.each([60 * 24 * 60 * 60, Infinity])('of %d seconds does not expire at once', async (seconds) => {
    using limit = new TimeLimit(seconds);
    await limit.pause(5);
    expect(limit.isExpired).toBe(false);
    expect(limit.signal.aborted).toBe(false);
  });

  test('ends a pause without an error when it expires', async () => {
    using limit = new TimeLimit(0.01);
    await limit.pause(60_000);
    expect(limit.isExpired).toBe(true);
  });

  test("ends a pause with the caller's reason", async () => {
    const caller = new AbortController();
    using limit = new TimeLimit(60, caller.signal);
    const waiting = limit.pause(60_000);
    caller.abort(new Error('never mind'));
    await expect(waiting).rejects.toThrow('never mind');
  });
});
