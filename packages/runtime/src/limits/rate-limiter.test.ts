import { expect, test } from 'vitest';
import { RateLimiter } from './rate-limiter.ts';

function limiter(perMinute: number) {
  const clock = { now: 0 };
  return { clock, limiter: new RateLimiter(perMinute, () => clock.now) };
}

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
