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

// Work that grows with the square of the line would take an hour here.
test('reads a line of 16 MiB that arrives in small pieces', () => {
  const lines = new JsonLines();
  const pieces = 256 * 1024;
  lines.add('["');
  for (let index = 0; index < pieces; index += 1) lines.add('x'.repeat(64));
  expect(lines.add('"]\n{"next": 1}\n')).toEqual([[expect.stringMatching(/^x{9}/)], { next: 1 }]);
});
