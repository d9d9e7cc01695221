import { describe, expect, test, vi } from 'vitest';
import { errorReason, oncePerInterval } from './log.ts';

describe('the reason of an error', () => {
  test.each<[string, unknown, string]>([
    ['its message', new Error('no disk'), 'no disk'],
    ['its causes', new Error('fetch failed', { cause: new Error('refused') }), 'fetch failed: refused'],
    ['a cause that is a text', new Error('fetch failed', { cause: 'refused' }), 'fetch failed: refused'],
    ['a sentence and its cause', new Error('No disk.', { cause: new Error('ENOSPC') }), 'No disk: ENOSPC'],
    ['its name without a message', new TypeError(), 'TypeError'],
    ['what was thrown', 'just a text', 'just a text'],
    ['nothing', undefined, 'undefined'],
  ])('the reason of an error is %s', (_name, error, reason) => {
    expect(errorReason(error)).toBe(reason);
  });

  test('an error that causes itself has a reason', () => {
    const error = new Error('round');
    error.cause = error;
    expect(errorReason(error)).toBe('round: round: round: round: round');
  });
});

test('is true at first and then once per interval', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const isDue = oncePerInterval(1_000);
    expect([isDue(), isDue()]).toEqual([true, false]);
    vi.advanceTimersByTime(999);
    expect(isDue()).toBe(false);
    vi.advanceTimersByTime(1);
    expect([isDue(), isDue()]).toEqual([true, false]);
  } finally {
    vi.useRealTimers();
  }
});
