import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MatchList } from './match-list.ts';
import { prepareQuery } from './query.ts';
import { searchText } from './search-text.ts';

function search(text: string, query: string, context = 0, page = { skip: 0, limit: 50 }): MatchList {
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
      const found = search(lines.join('\n'), 'ab', 0, { skip: 0, limit: Infinity });
      expect(found.shown).toEqual(lines.length === 0 ? [] : expected);
      expect(found.total).toBe(expected.length);
    }),
  );
});

test('returns the lines around a match', () => {
  expect(search('1\n2\nx\n4', 'x', 2).shown).toEqual([
    { line: 3, text: 'x', before: ['1', '2'], after: ['4'] },
  ]);
  expect(search('x\n', 'x', 2).shown).toEqual([{ line: 1, text: 'x', before: [], after: [''] }]);
});

test('counts all matches and returns a page of them', () => {
  const found = search('x\n'.repeat(100), 'x', 0, { skip: 98, limit: 50 });
  expect(found.total).toBe(100);
  expect(found.shown).toEqual([
    { line: 99, text: 'x' },
    { line: 100, text: 'x' },
  ]);
});

test('shows the part of a long line around the match', () => {
  const [match] = search(`${'a'.repeat(10_000)}needle${'b'.repeat(10_000)}`, 'needle').shown;
  expect(match?.['text']).toMatch(/^\.\.\.a+needleb+\.\.\.$/);
  expect(String(match?.['text']).length).toBeLessThan(520);
});
