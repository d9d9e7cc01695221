import { expect, test } from 'vitest';
import { classifyResponse } from './classify-response.ts';

test.each([200, 201, 202, 204, 299])('%d means that the event was delivered', (status) => {
  expect(classifyResponse({ status, headers: {} })).toEqual({ kind: 'delivered' });
});

test.each([301, 302, 307, 308, 400, 401, 403, 404, 413, 422])(
  '%d means that the receiver refuses the event',
  (status) => {
    expect(classifyResponse({ status, headers: {} })).toMatchObject({ kind: 'failed', refused: true });
  },
);

test.each([408, 425, 429, 500, 502, 503, 504])('%d may succeed later', (status) => {
  expect(classifyResponse({ status, headers: {} })).toMatchObject({ kind: 'failed', refused: false });
});

test('410 ends the target', () => {
  expect(classifyResponse({ status: 410, headers: {} })).toEqual({ kind: 'gone', error: 'answered 410' });
});

function asked(value: string) {
  return classifyResponse({ status: 503, headers: { 'retry-after': value } });
}

test('Retry-After is read as seconds or a date, and anything else is ignored', () => {
  expect(asked('12')).toMatchObject({ retryAfterMilliseconds: 12_000 });
  expect(asked(new Date(0).toUTCString())).toMatchObject({ retryAfterMilliseconds: 0 });
  expect(asked('soon')).not.toHaveProperty('retryAfterMilliseconds');
});
