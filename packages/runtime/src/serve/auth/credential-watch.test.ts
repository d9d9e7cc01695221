import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CredentialWatch } from './credential-watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const callerWith = (isStillGood: () => Promise<boolean>) => ({ id: 'a', authenticated: true, isStillGood });

describe('CredentialWatch', () => {
  it('tells a stream once that its credential is no longer valid, and stops its timer', async () => {
    const watch = new CredentialWatch();
    let isGood = true;
    const lapse = vi.fn<(error: unknown) => void>();
    watch.watch(
      callerWith(async () => isGood),
      lapse,
    );
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lapse).not.toHaveBeenCalled();
    isGood = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lapse).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('costs nothing for credentials that cannot lapse', () => {
    expect(new CredentialWatch().watch({ id: 'a', authenticated: false }, vi.fn())).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has one timer for all streams, and none after the last one was closed', () => {
    const watch = new CredentialWatch();
    const leave = [1, 2, 3].map(() =>
      watch.watch(
        callerWith(async () => true),
        vi.fn(),
      ),
    );
    expect(vi.getTimerCount()).toBe(1);
    for (const each of leave) each?.();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends no stream while it is unknown whether a credential is valid', async () => {
    const lapse = vi.fn<(error: unknown) => void>();
    new CredentialWatch().watch(
      callerWith(() => Promise.reject(new Error('The store is away.'))),
      lapse,
    );
    await vi.advanceTimersByTimeAsync(3_000);
    expect(lapse).not.toHaveBeenCalled();
  });

  it('does not ask again before it gets an answer, and tells no closed stream', async () => {
    const answers: ((isGood: boolean) => void)[] = [];
    const lapse = vi.fn<(error: unknown) => void>();
    const leave = new CredentialWatch().watch(
      callerWith(() => new Promise((resolve) => answers.push(resolve))),
      lapse,
    );
    await vi.advanceTimersByTimeAsync(5_000);
    expect(answers).toHaveLength(1);
    leave?.();
    answers[0]?.(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lapse).not.toHaveBeenCalled();
  });
});
