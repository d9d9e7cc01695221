import { expect, it } from 'vitest';
import { fromDatabaseText, toDatabaseText } from './database-text.ts';

it.each(['plain', '', 'Grüße 👩‍🚀', '\0', '\u001a', '\u001a0', '\0\u001a1\0', 'a\0b\u001a\u001ac'])(
  'brings %j back without a NUL on the way',
  (text) => {
    const stored = toDatabaseText(text);
    expect(stored).not.toContain('\0');
    expect(fromDatabaseText(stored)).toBe(text);
  },
);

it('replaces half characters, which no database text can hold', () => {
  expect(toDatabaseText('a\ud800b')).toBe('a\ufffdb');
});
