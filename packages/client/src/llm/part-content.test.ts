import type { Part } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { joinChunks } from './part-content.ts';

test.each<[string, Part[], Part[]]>([
  ['chunks', [{ text: 'w0 ' }, { text: 'w1 ' }, { text: 'w2' }], [{ text: 'w0 w1 w2' }]],
  [
    'chunks around a file',
    [{ text: 'a' }, { text: 'b' }, { url: 'https://a.example' }, { text: 'c' }, { text: 'd' }],
    [{ text: 'ab' }, { url: 'https://a.example' }, { text: 'cd' }],
  ],
  [
    'texts of different types',
    [{ text: '# a', mediaType: 'text/markdown' }, { text: 'b' }],
    [{ text: '# a', mediaType: 'text/markdown' }, { text: 'b' }],
  ],
  [
    'files and data',
    [{ data: 1 }, { data: 2 }, { raw: 'AA==' }],
    [{ data: 1 }, { data: 2 }, { raw: 'AA==' }],
  ],
  ['nothing', [], []],
])('%s', (_, parts, joined) => {
  expect(joinChunks(parts)).toEqual(joined);
});

test('many chunks take linear time', () => {
  const parts = Array.from({ length: 200_000 }, () => ({ kind: 'text' as const, text: 'word ' }));
  expect(joinChunks(parts)).toEqual([{ kind: 'text', text: 'word '.repeat(200_000) }]);
});
