import { describe, expect, test } from 'vitest';
import { TimeLimit } from './time-limit.ts';

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
