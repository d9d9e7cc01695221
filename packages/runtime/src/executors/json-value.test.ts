import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, parseJson, textAt, valueAt } from './json-value.ts';

const value = parseJson('{"a": {"b": ["x", {"c": "deep"}], "n": 1, "none": null}}');

test('reads values at a path', () => {
  expect(textAt(value, 'a', 'b', '1', 'c')).toBe('deep');
  expect(numberAt(value, 'a', 'n')).toBe(1);
  expect(listAt(value, 'a', 'b')).toHaveLength(2);
  expect(objectAt(value, 'a', 'b', '1')).toEqual({ c: 'deep' });
  expect(valueAt(value, 'a', 'none')).toBeNull();
});

test('returns undefined for missing values and other types', () => {
  expect(textAt(value, 'a', 'n')).toBeUndefined();
  expect(objectAt(value, 'a', 'b')).toBeUndefined();
  expect(listAt(value, 'a', 'missing', 'deeper')).toEqual([]);
  expect(valueAt(value, 'constructor')).toBeUndefined();
  expect(valueAt(undefined, 'a')).toBeUndefined();
  expect(parseJson('{"a":')).toBeUndefined();
});
