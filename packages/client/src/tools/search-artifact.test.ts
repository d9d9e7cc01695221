import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MatchList, prepareQuery, searchData, searchText } from './search-artifact.ts';

const PLAIN = { wildcards: false, caseSensitive: false };

test('finds text case-insensitively', () => {
  expect(prepareQuery('b*c', PLAIN)('A B*C D')).toEqual({ start: 2, end: 5 });
  expect(prepareQuery('x', PLAIN)('abc')).toBeUndefined();
});

test('can be case-sensitive', () => {
  const query = prepareQuery('Error', { wildcards: false, caseSensitive: true });
  expect(query('error')).toBeUndefined();
  expect(query('an Error')).toEqual({ start: 3, end: 8 });
});

test('with wildcards, pieces must follow each other', () => {
  const query = prepareQuery('*error*timeout*', { wildcards: true, caseSensitive: false });
  expect(query('an error, then a timeout!')).toEqual({ start: 3, end: 24 });
  expect(query('a timeout, then an error')).toBeUndefined();
  expect(prepareQuery('*', { wildcards: true, caseSensitive: false })('')).toEqual({ start: 0, end: 0 });
});

test('is fast for hostile queries', () => {
  const query = prepareQuery('(a+)+$'.repeat(20) + 'a*'.repeat(400), {
    wildcards: true,
    caseSensitive: false,
  });
  const begun = performance.now();
  expect(query('a'.repeat(1_000_000))).toBeUndefined();
  expect(performance.now() - begun).toBeLessThan(2_000);
});

function inText(text: string, query: string, context = 0, page = { skip: 0, limit: 50 }): MatchList {
  const matches = new MatchList(page);
  searchText(text, prepareQuery(query, { wildcards: false, caseSensitive: true }), context, matches);
  return matches;
}

test('returns lines with the same numbers as splitting the text', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\r', ' ') })), (lines) => {
      const expected = lines.flatMap((text, index) =>
        text.includes('ab') ? [{ line: index + 1, text }] : [],
      );
      const found = inText(lines.join('\n'), 'ab', 0, { skip: 0, limit: Infinity });
      expect(found.shown).toEqual(lines.length === 0 ? [] : expected);
      expect(found.total).toBe(expected.length);
    }),
  );
});

test('returns the lines around a match', () => {
  expect(inText('1\n2\nx\n4', 'x', 2).shown).toEqual([
    { line: 3, text: 'x', before: ['1', '2'], after: ['4'] },
  ]);
  expect(inText('x\n', 'x', 2).shown).toEqual([{ line: 1, text: 'x', before: [], after: [''] }]);
});

test('counts all matches and returns a page of them', () => {
  const found = inText('x\n'.repeat(100), 'x', 0, { skip: 98, limit: 50 });
  expect(found.total).toBe(100);
  expect(found.shown).toEqual([
    { line: 99, text: 'x' },
    { line: 100, text: 'x' },
  ]);
});

test('shows the part of a long line around the match', () => {
  const [match] = inText(`${'a'.repeat(10_000)}needle${'b'.repeat(10_000)}`, 'needle').shown;
  expect(match?.['text']).toMatch(/^\.\.\.a+needleb+\.\.\.$/);
  expect(String(match?.['text']).length).toBeLessThan(520);
});

function inData(data: unknown, query: string, column?: string): unknown[] {
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
  expect(inData(ROWS, 'maths')).toEqual([
    { row: 0, value: ROWS[0] },
    { row: 2, value: ROWS[2] },
  ]);
  expect(inData(['x', null, 'yx', 3], 'x')).toEqual([
    { row: 0, value: 'x' },
    { row: 2, value: 'yx' },
  ]);
});

test('can search only one column', () => {
  expect(inData(ROWS, '19', 'born')).toMatchObject([{ row: 1 }, { row: 2 }]);
  expect(inData(ROWS, '19', 'name')).toEqual([]);
  expect(() => inData(ROWS, '19', 'died')).toThrow('The columns are name, tags, born.');
  expect(() => inData({ rows: ROWS }, '19', 'born')).toThrow('Select the list with jsonPath.');
});

test('returns the values of an object with their paths', () => {
  expect(inData({ people: ROWS, 'a.b': true }, 'a')).toEqual([
    { path: 'people[0].name', value: 'Ada' },
    { path: 'people[0].tags[0].label', value: 'maths' },
    { path: 'people[1].name', value: 'Grace' },
    { path: 'people[2].name', value: 'Alan' },
    { path: 'people[2].tags[0].label', value: 'Maths' },
  ]);
  expect(inData({ 'a.b': true }, 'true')).toEqual([{ path: '["a.b"]', value: true }]);
});

test('accepts data that is nested deeper than the call stack allows', () => {
  let data: unknown = 'needle';
  for (let depth = 0; depth < 20_000; depth += 1) data = [data];
  expect(inData({ data, other: 'found' }, 'found')).toEqual([{ path: 'other', value: 'found' }]);
});
