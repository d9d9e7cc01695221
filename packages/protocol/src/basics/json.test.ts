import { expect, test } from 'vitest';
import { isDeeperThan } from './json.ts';

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
