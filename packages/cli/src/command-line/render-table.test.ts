import { expect, test } from 'vitest';
import { renderBytes, renderTable } from './render-table.ts';

test('columns are as wide as their widest cell, lines have no trailing blanks', () => {
  expect(
    renderTable(
      ['NAME', 'N'],
      [
        ['a', '1'],
        ['longer', ''],
      ],
    ),
  ).toBe('NAME    N\na       1\nlonger\n');
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1_572_864, '1.5 MiB'],
  [209_715_200, '200 MiB'],
  [5e15, '4547 TiB'],
])('%i bytes are %s', (bytes, text) => {
  expect(renderBytes(bytes)).toBe(text);
});
