import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline, pause, Timer, withTimeout } from './timers.ts';

const DAY = 24 * 60 * 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a timer', () => {
  it('fires once, on time', () => {
    const run = vi.fn();
    void new Timer(100, run);
    vi.advanceTimersByTime(99);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(run).toHaveBeenCalledOnce();
  });

  it('accepts more than 24.8 days', () => {
    const run = vi.fn();
    void new Timer(60 * DAY, run);
    vi.advanceTimersByTime(60 * DAY - 1);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  });

  it('never fires after Infinity', () => {
    void new Timer(Infinity, () => {});
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not accept NaN', () => {
    expect(() => new Timer(NaN, () => {})).toThrow(RangeError);
  });

  it('leaves nothing behind when it is disposed', () => {
    new Timer(60 * DAY, () => {})[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('a deadline aborts its signal with a timeout error', () => {
  using deadline = new Deadline(50);
  vi.advanceTimersByTime(50);
  expect(deadline.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

describe('withTimeout', () => {
  it('resolves as the promise does, and leaves no timer', async () => {
    expect(await withTimeout(Promise.resolve(7), 1_000)).toBe(7);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects with the given error when the time is over', async () => {
    const waiting = withTimeout(new Promise(() => {}), 1_000, () => new Error('too slow'));
    const checked = expect(waiting).rejects.toThrow('too slow');
    await vi.advanceTimersByTimeAsync(1_000);
    await checked;
  });
});

describe('pause', () => {
  it('waits', async () => {
    const waiting = pause(40 * DAY);
    await vi.advanceTimersByTimeAsync(40 * DAY);
    await expect(waiting).resolves.toBeUndefined();
  });

  it('ends early when the signal aborts, and leaves no timer', async () => {
    const controller = new AbortController();
    const waiting = pause(1_000, controller.signal);
    controller.abort();
    await waiting;
    await pause(1_000, controller.signal);
    expect(vi.getTimerCount()).toBe(0);
  });
});
