import { expect, test } from 'vitest';
import { endpointError } from './completion.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

function judge(status: number, retryAfter?: string, body: unknown = { error: { message: 'no' } }): object {
  const { code, message, ...rest } = endpointError({ status, retryAfter, body }, NOW);
  return { code, message, ...rest };
}

const RETRY = 'executor-retryable';
const TERMINAL = 'executor-terminal';

test.each([
  [400, TERMINAL],
  [401, TERMINAL],
  [403, TERMINAL],
  [404, TERMINAL],
  [408, RETRY],
  [422, TERMINAL],
  [429, RETRY],
  [500, RETRY],
  [503, RETRY],
])('HTTP %i is %s', (status, code) => {
  expect(judge(status)).toMatchObject({ code });
});

test('includes the reason that the API gave', () => {
  expect(judge(400)).toMatchObject({ message: 'The model API returned HTTP 400: no.' });
  expect(judge(400, undefined, {})).toMatchObject({
    message: 'The model API returned HTTP 400: no reason given.',
  });
});

test('honors Retry-After in seconds or as a date', () => {
  expect(judge(429, '2')).toMatchObject({ code: RETRY, retryAfterMilliseconds: 2_000 });
  expect(judge(503, 'Thu, 01 Jan 2026 00:00:05 GMT')).toMatchObject({ retryAfterMilliseconds: 5_000 });
  expect(judge(503, 'soon')).toMatchObject({ code: RETRY, retryAfterMilliseconds: undefined });
});

test('does not retry after a long delay, nor with an exhausted quota', () => {
  expect(judge(429, '3600')).toMatchObject({
    code: TERMINAL,
    message: 'The model API returned HTTP 429: no. Try again in 3600 s.',
  });
  expect(judge(429, '1', { error: { code: 'insufficient_quota' } })).toMatchObject({ code: TERMINAL });
});
