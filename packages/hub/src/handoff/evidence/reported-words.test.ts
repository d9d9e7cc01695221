import { expect, test } from 'vitest';
import { reportedWords } from './reported-words.ts';

test.each([
  ['log in with password=hunter2', 'log in with password=[redacted]'],
  ['Das Passwort ist Sommer2024', 'Das Passwort ist [redacted]'],
  ['The password for db4 is hunter2, rotate it', 'The password for db4 is [redacted], rotate it'],
  ['key AKIAIOSFODNN7EXAMPLE', 'key [redacted]'],
  ['rotate the password of db4', 'rotate the password of db4'],
])('%s', (text, told) => {
  expect(reportedWords(text, 200)).toBe(told);
});
