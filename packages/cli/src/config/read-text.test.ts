import { expect, test } from 'vitest';
import { hasPassword, hideSecrets } from './read-text.ts';

test.each([
  ['mysql', 'mysql'],
  ['postgre://ada:secret@host/db', 'postgre://***@host/db'],
  ['"postgres://ada:sec/r@et@host:5432/db"', '"postgres://***@host:5432/db"'],
  [
    'postgres://host/db?user=ada&password=secret&sslmode=require',
    'postgres://host/db?user=ada&password=***&sslmode=require',
  ],
])('%s is shown as %s', (text, shown) => {
  expect(hideSecrets(text)).toBe(shown);
});

test.each([
  ['sqlite', false],
  ['postgres://host:5432/db', false],
  ['postgres://ada@host:5432/db', false],
  ['postgres://ada:secret@host/db', true],
  ['postgres://host/db?password=secret', true],
])('%s has a password: %s', (url, expected) => {
  expect(hasPassword(url)).toBe(expected);
});
