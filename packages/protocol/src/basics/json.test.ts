import { expect, test } from 'vitest';
import { hasMoreValuesThan, isDeeperThan } from './json.ts';

test.each([
  ['{"a":[{"b":1}]}', 3],
  ['[[],[],{},{}]', 2],
  ['"[[[["', 0],
  [String.raw`["\"[[[[", "\\", "[\\\"["]`, 1],
  ['7', 0],
])('%s has %i levels', (json, levels) => {
  expect(isDeeperThan(json, levels)).toBe(false);
  if (levels > 0) expect(isDeeperThan(json, levels - 1)).toBe(true);
});

test('text that is not JSON is also measured to its end', () => {
  expect(isDeeperThan('"never closed [[[[[[', 2)).toBe(false);
  expect(isDeeperThan(']]]]{{{', 3)).toBe(false);
});

test.each([
  ['[]', 2],
  ['"[,,,,,{[\\",,,"', 1],
  ['[1,2,3]', 4],
  ['{"a":1,"b":[true,{"c":null}]}', 6],
  [`[${'{},'.repeat(9)}{}]`, 21],
])('counts the values of %s', (json, values) => {
  expect(hasMoreValuesThan(json, values)).toBe(false);
  if (values > 1) expect(hasMoreValuesThan(json, values - 1)).toBe(true);
});
