import { expect, it } from 'vitest';
import { fromDatabaseText, toDatabaseText } from './columns.ts';

const SORTED = [
  '',
  '\0',
  '\0\0',
  '\0\u0001',
  '\0\u0003',
  '\u0001',
  '\u0001\0',
  '\u0001\u0002',
  '\u0002',
  'a\0b',
  'a\u0001',
];

it.each(['plain', 'Grüße 👩‍🚀', 'a\0b\u0001\u0001c', '\0\u0001\u0003\0', ...SORTED])(
  'stores %j without a NUL and restores it',
  (text) => {
    const stored = toDatabaseText(text);
    expect(stored).not.toContain('\0');
    expect(fromDatabaseText(stored)).toBe(text);
  },
);

it('keeps the order of texts', () => {
  expect(SORTED.map(toDatabaseText).toSorted()).toEqual(SORTED.map(toDatabaseText));
});

it('replaces unpaired surrogates, which no database text can hold', () => {
  expect(toDatabaseText('a\ud800b')).toBe('a\ufffdb');
});
