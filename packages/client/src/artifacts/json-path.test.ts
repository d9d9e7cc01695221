import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childPath, selectByPath } from './json-path.ts';

const DATA = {
  results: { items: [{ name: 'one', tags: ['a', 'b'] }, { name: 'two' }, { id: 3, tags: [] }], empty: [] },
  'a.b': { 'say "hi"': 1 },
  'list[0]': 'by its name',
  list: ['by its place'],
  nested: { 'a.b': 2, 'it\'s "so"': { x: 3 } },
  none: null,
};

describe('selectByPath', () => {
  it.each([
    ['', DATA],
    ['$', DATA],
    ['results.items', DATA.results.items],
    ['$.results.items', DATA.results.items],
    ['results.items[0].name', 'one'],
    ['results.items.1.name', 'two'],
    ['results.items[-1].id', 3],
    ['results.items[*].name', ['one', 'two']],
    ['results.items.*.name', ['one', 'two']],
    ['results.items[*].tags[*]', ['a', 'b']],
    ['results.empty[*].name', []],
    ['results.*[0].name', ['one']],
    ['["a.b"]["say \\"hi\\""]', 1],
    ['$["a.b"]', DATA['a.b']],
    [`['a.b']['say "hi"']`, 1],
    [`nested['a.b']`, 2],
    [`nested['it\\'s \\"so\\"'].x`, 3],
    ['list[0]', 'by its name'],
    ['none', null],
  ])('finds %s', (path, expected) => {
    expect(selectByPath(DATA, path)).toEqual(expected);
  });

  it('can start with an array index', () => {
    expect(selectByPath([[1, 2], [3]], '[0][1]')).toBe(2);
    expect(selectByPath([[1, 2], [3]], '[*][0]')).toEqual([1, 3]);
  });

  it.each([
    [
      'result',
      'Field "result" not found in the data: its fields are results, a.b, list[0], list, nested, none.',
    ],
    [
      'results.items.name',
      'Field "name" not found in "results.items": it is a list of 3 items. Select one with [0]',
    ],
    ['results.items[3]', 'Item [3] not found in "results.items"'],
    ['results.items[*].nobody', 'Field "nobody" not found in "results.items[*]": its fields are name, tags.'],
    ['none.more', 'it is a single value'],
    ['none[*]', 'Anything not found in "none"'],
    ['results..items', 'Invalid path "results..items" because a name is missing before or after a dot.'],
    ['$..name', 'Invalid path "$..name" because a name is missing before or after a dot.'],
    ['results.', 'Invalid path "results." because a name is missing before or after a dot.'],
    ['results.items[x]', 'Invalid path "results.items[x]" at "items[x]".'],
    ['toString', 'Field "toString" not found'],
    ['__proto__', 'Field "__proto__" not found'],
  ])('explains why %s is not found', (path, message) => {
    expect(() => selectByPath(DATA, path)).toThrow(message);
  });

  it('reads every path that childPath writes', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (names) => {
        const data = names.reduceRight<unknown>(
          (inner, name) => Object.fromEntries([[name, inner]]),
          'found',
        );
        expect(selectByPath(data, names.reduce(childPath, ''))).toBe('found');
      }),
    );
  });
});

it.each([
  [[], 'it is an empty list.'],
  [[1], 'it is a list of 1 item. Select it with [0], or use rows.'],
  [[1, 2], 'it is a list of 2 items. Select one with [0] to [1], all with [*], or use rows.'],
])('a field of %j is answered with what is there', (data, message) => {
  expect(() => selectByPath(data, 'name')).toThrow(message);
});
