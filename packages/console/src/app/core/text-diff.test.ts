import { expect, test } from 'vitest';
import { diffLines } from './text-diff.ts';

function written(before: string, after: string): string[] {
  const signs = { same: ' ', added: '+', removed: '-' } as const;
  return diffLines(before, after).map(({ kind, text }) => signs[kind] + text);
}

test.each([
  ['a\nb\nc', 'a\nb\nc', [' a', ' b', ' c']],
  ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
  ['a\nb', 'a\nb\nc\nd', [' a', ' b', '+c', '+d']],
  ['a\nb\nc\nd', 'c\nd', ['-a', '-b', ' c', ' d']],
  ['', 'a', ['-', '+a']],
])('the changes from %j to %j', (before, after, expected) => {
  expect(written(before, after)).toEqual(expected);
});

test('what is common in the middle stays', () => {
  expect(
    written('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc').filter((line) => line.startsWith(' ')).length,
  ).toBe(4);
});

test.each(['abcabba cbabac', 'xaxbxc abc', 'aaaa aa', 'abcdef fedcba'])(
  'both texts can be read from the changes: %s',
  (texts) => {
    const [before = '', after = ''] = texts.split(' ').map((text) => text.split('').join('\n'));
    const lines = diffLines(before, after);
    const side = (left: string): string =>
      lines
        .filter(({ kind }) => kind !== left)
        .map(({ text }) => text)
        .join('\n');
    expect([side('added'), side('removed')]).toEqual([before, after]);
  },
);

test('texts that have nothing in common are not compared for ever', () => {
  const [before, after] = ['a', 'b'].map((letter) =>
    Array.from({ length: 5000 }, (_, index) => letter + index).join('\n'),
  );
  expect(diffLines(before ?? '', after ?? '')).toHaveLength(10_000);
});
