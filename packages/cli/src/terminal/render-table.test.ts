import { expect, test } from 'vitest';
import { renderTable } from './render-table.ts';

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
