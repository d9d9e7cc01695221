import { expect, test } from 'vitest';
import { prepareQuery } from './query.ts';

const PLAIN = { wildcards: false, caseSensitive: false };

test('finds text case-insensitively', () => {
  expect(prepareQuery('b*c', PLAIN)('A B*C D')).toEqual({ start: 2, end: 5 });
  expect(prepareQuery('x', PLAIN)('abc')).toBeUndefined();
});

test('can be case-sensitive', () => {
  const query = prepareQuery('Error', { wildcards: false, caseSensitive: true });
  expect(query('error')).toBeUndefined();
  expect(query('an Error')).toEqual({ start: 3, end: 8 });
});

test('with wildcards, pieces must follow each other', () => {
  const query = prepareQuery('*error*timeout*', { wildcards: true, caseSensitive: false });
  expect(query('an error, then a timeout!')).toEqual({ start: 3, end: 24 });
  expect(query('a timeout, then an error')).toBeUndefined();
  expect(prepareQuery('*', { wildcards: true, caseSensitive: false })('')).toEqual({ start: 0, end: 0 });
});

test('is fast for hostile queries', () => {
  const query = prepareQuery('(a+)+$'.repeat(20) + 'a*'.repeat(400), {
    wildcards: true,
    caseSensitive: false,
  });
  const begun = performance.now();
  expect(query('a'.repeat(1_000_000))).toBeUndefined();
  expect(performance.now() - begun).toBeLessThan(2_000);
});
