import { expect, test } from 'vitest';
import { compareCells, parseCsv, tableIn } from './table.ts';

test('a list of objects is a table with all their fields', () => {
  expect(tableIn([{ a: 1 }, { a: 2, b: 'x' }])).toEqual({
    columns: ['a', 'b'],
    rows: [
      [1, undefined],
      [2, 'x'],
    ],
  });
});

test.each([[[]], [[1, 2]], [{ a: 1 }], [[{ a: 1 }, 2]], [[{}]], ['text']])('%j is no table', (value) => {
  expect(tableIn(value)).toBeUndefined();
});

test('comma-separated values with quotes, line breaks and quoted quotes', () => {
  expect(parseCsv('a,b\r\n"1, one","say ""hi""\nthere"\n,2')).toEqual({
    columns: ['a', 'b'],
    rows: [
      ['1, one', 'say "hi"\nthere'],
      ['', '2'],
    ],
  });
});

test('a line of a hundred thousand commas is read in linear time', () => {
  expect(parseCsv(`${','.repeat(100_000)}\nx`)?.columns).toHaveLength(100_001);
});

test('numbers sort by value, names as people sort them', () => {
  expect([10, 9, '8'].toSorted(compareCells)).toEqual(['8', 9, 10]);
  expect(['file 10', 'file 9'].toSorted(compareCells)).toEqual(['file 9', 'file 10']);
});
