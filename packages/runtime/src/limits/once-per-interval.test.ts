import { expect, test, vi } from 'vitest';
import { oncePerInterval } from './once-per-interval.ts';

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
