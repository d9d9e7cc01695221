import { expect, test } from 'vitest';
import { hasToken } from './has-token.ts';

test.each(['Bearer secret', 'bearer secret', 'Bearer  secret'])('"%s" has the token', (header) => {
  expect(hasToken(header, 'secret')).toBe(true);
});

test.each([
  undefined,
  '',
  'secret',
  'Basic secret',
  'Bearer',
  'Bearer secre',
  'Bearer secret1',
  'Bearer secret x',
])('"%s" does not have the token', (header) => {
  expect(hasToken(header, 'secret')).toBe(false);
});
