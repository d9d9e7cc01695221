import { expect, test } from 'vitest';
import { MatchList } from './match-list.ts';
import { prepareQuery } from './query.ts';
import { searchData } from './search-data.ts';

function search(data: unknown, query: string, column?: string): unknown[] {
  const matches = new MatchList({ skip: 0, limit: 50 });
  searchData(data, prepareQuery(query, { wildcards: false, caseSensitive: false }), column, matches);
  return matches.shown;
}

const ROWS = [
  { name: 'Ada', tags: [{ label: 'maths' }], born: 1815 },
  { name: 'Grace', tags: [], born: 1906 },
  { name: 'Alan', tags: [{ label: 'Maths' }], born: 1912 },
];

test('returns the rows of a list that contain a value', () => {
  expect(search(ROWS, 'maths')).toEqual([
    { row: 0, value: ROWS[0] },
    { row: 2, value: ROWS[2] },
  ]);
  expect(search(['x', null, 'yx', 3], 'x')).toEqual([
    { row: 0, value: 'x' },
    { row: 2, value: 'yx' },
  ]);
});

test('can search only one column', () => {
  expect(search(ROWS, '19', 'born')).toMatchObject([{ row: 1 }, { row: 2 }]);
  expect(search(ROWS, '19', 'name')).toEqual([]);
  expect(() => search(ROWS, '19', 'died')).toThrow('The columns are name, tags, born.');
  expect(() => search({ rows: ROWS }, '19', 'born')).toThrow('Select the list with jsonPath.');
});

test('returns the values of an object with their paths', () => {
  expect(search({ people: ROWS, 'a.b': true }, 'a')).toEqual([
    { path: 'people[0].name', value: 'Ada' },
    { path: 'people[0].tags[0].label', value: 'maths' },
    { path: 'people[1].name', value: 'Grace' },
    { path: 'people[2].name', value: 'Alan' },
    { path: 'people[2].tags[0].label', value: 'Maths' },
  ]);
  expect(search({ 'a.b': true }, 'true')).toEqual([{ path: '["a.b"]', value: true }]);
});

test('accepts data that is nested deeper than the call stack allows', () => {
  let data: unknown = 'needle';
  for (let depth = 0; depth < 20_000; depth += 1) data = [data];
  expect(search({ data, other: 'found' }, 'found')).toEqual([{ path: 'other', value: 'found' }]);
});
