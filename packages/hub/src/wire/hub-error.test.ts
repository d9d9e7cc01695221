import { expect, test } from 'vitest';
import { showValue } from './hub-error.ts';

test.each([
  ['a b', '"a b"'],
  [5, '5'],
  [null, 'null'],
  [undefined, 'nothing'],
  [{ a: [1] }, '{"a":[1]}'],
  ['x'.repeat(100), `"${'x'.repeat(59)}…`],
])('shows %j as %s', (value, text) => {
  expect(showValue(value)).toBe(text);
});
