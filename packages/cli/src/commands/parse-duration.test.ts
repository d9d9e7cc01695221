import { expect, test } from 'vitest';
import { parseDuration } from './parse-duration.ts';

test.each([
  ['45s', 45_000],
  ['30m', 1_800_000],
  ['12h', 43_200_000],
  ['90d', 7_776_000_000],
])('%s', (text, milliseconds) => {
  expect(parseDuration(text, '--expires')).toBe(milliseconds);
});

test.each(['', '90', 'd', '-1d', '1.5h', '1w'])('"%s" is refused', (text) => {
  expect(() => parseDuration(text, '--expires')).toThrow('--expires: expected a duration such as 90d');
});
