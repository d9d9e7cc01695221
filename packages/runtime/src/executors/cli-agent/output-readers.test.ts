import { expect, test } from 'vitest';
import { JsonLines } from './output-readers.ts';

test('returns values line by line, wherever the text was split', () => {
  const lines = new JsonLines();
  expect(lines.add('{"a"')).toEqual([]);
  expect(lines.add(': 1}\n{"b": 2}\r\n[3')).toEqual([{ a: 1 }, { b: 2 }]);
  expect(lines.add(']')).toEqual([]);
  expect(lines.end()).toEqual([[3]]);
  expect(lines.end()).toEqual([]);
});

test('skips what is not JSON', () => {
  const lines = new JsonLines();
  expect(lines.add('Loaded cached credentials.\n\n{"a": 1}\n{"broken\n')).toEqual([{ a: 1 }]);
});
