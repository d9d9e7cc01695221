import { describe, expect, test } from 'vitest';
import { RateLimiter, StreamSlots } from './caller-limits.ts';

function limiter(perMinute: number) {
  const clock = { now: 0 };
  return { clock, limiter: new RateLimiter(perMinute, () => clock.now) };
}

describe('the rate limiter', () => {
  test('allows a minute of requests at once, then as many as the elapsed time adds', () => {
    const { clock, limiter: rate } = limiter(60);
    for (let call = 0; call < 60; call += 1) expect(rate.take('me').allowed).toBe(true);
    expect(rate.take('me')).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
    clock.now += 500;
    expect(rate.take('me')).toEqual({ allowed: false, remaining: 0, resetSeconds: 0.5 });
    clock.now += 500;
    expect(rate.take('me')).toMatchObject({ allowed: true, remaining: 0 });
    clock.now += 3_600_000;
    expect(rate.take('me')).toMatchObject({ allowed: true, remaining: 59, resetSeconds: 1 });
  });

  test('one caller does not use up the allowance of another', () => {
    const { limiter: rate } = limiter(1);
    expect(rate.take('me').allowed).toBe(true);
    expect(rate.take('me').allowed).toBe(false);
    expect(rate.take('you').allowed).toBe(true);
  });

  test('remembers the most recent callers, and at most ten thousand', () => {
    const { limiter: rate } = limiter(1);
    rate.take('busy');
    for (let caller = 0; caller < 20_000; caller += 1) {
      rate.take(`caller ${caller}`);
      if (caller % 1_000 === 0) expect(rate.take('busy').allowed).toBe(false);
    }
    expect(rate.size).toBe(10_000);
  });
});

const PLAIN = { reservedPercent: 0, what: 'streams' } as const;

function refusal(limit: string, limitScope = 'caller'): unknown {
  return expect.objectContaining({ code: 'RESOURCE_EXHAUSTED', metadata: { limit, limitScope } });
}

describe('stream slots', () => {
  test('rejects one stream too many of a caller, until one has ended', () => {
    const slots = new StreamSlots({ ...PLAIN, total: 10, perCaller: 2 });
    const release = slots.take('me');
    slots.take('me');
    expect(() => slots.take('me')).toThrow(refusal('streamsPerCaller'));
    slots.take('you');
    release();
    slots.take('me');
    expect(slots.open).toBe(3);
  });

  test('rejects every caller when the server is full', () => {
    const slots = new StreamSlots({ ...PLAIN, total: 2, perCaller: 2 });
    const release = slots.take('me');
    slots.take(undefined);
    expect(() => slots.take('you')).toThrow(refusal('streams', 'server'));
    expect(() => slots.take(undefined)).toThrow(refusal('streams', 'server'));
    release();
    slots.take('you');
  });

  test('a slot is released once, however often it is called', () => {
    const slots = new StreamSlots({ ...PLAIN, total: 2, perCaller: 1 });
    const release = slots.take('me');
    release();
    release();
    expect(slots.open).toBe(0);
    slots.take('me');
    expect(() => slots.take('me')).toThrow(refusal('streamsPerCaller'));
  });

  test('keeps some for callers who have few, and says to the others that it is their share', () => {
    const slots = new StreamSlots({ ...PLAIN, reservedPercent: 25, total: 8, perCaller: 8 });
    for (let open = 0; open < 6; open += 1) slots.take('hog');
    expect(() => slots.take('hog')).toThrow(refusal('streams', 'caller'));
    expect(() => slots.take('hog')).toThrow(
      /you have 6 open streams, and the last 2 of 8 are for callers with fewer/,
    );
    slots.take('me');
    slots.take('you');
    expect(() => slots.take('another')).toThrow(refusal('streams', 'server'));
  });

  test('does not blame a caller with few for what others have taken', () => {
    const slots = new StreamSlots({ ...PLAIN, reservedPercent: 25, total: 8, perCaller: 8 });
    for (let open = 0; open < 5; open += 1) slots.take('hog');
    slots.take('me');
    expect(() => slots.take('me')).toThrow(refusal('streams', 'server'));
    expect(() => slots.take('me')).toThrow(/this server has 6 open streams, 1 of them yours, and the last 2/);
  });

  test('anonymous callers share only the total', () => {
    const slots = new StreamSlots({ ...PLAIN, total: 3, perCaller: 1 });
    slots.take(undefined);
    slots.take(undefined);
    expect(slots.open).toBe(2);
  });
});
