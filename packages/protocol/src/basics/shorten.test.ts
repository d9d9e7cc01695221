import { expect, it } from 'vitest';
import { shorten, trimEndOf } from './shorten.ts';

it('returns a short text unchanged', () => {
  expect(shorten('Holdword', 8)).toBe('Holdword');
});

it('marks what is missing, within the length', () => {
  expect(shorten('Holdword', 5)).toBe('Hold…');
  expect(shorten('Holdword', 7, ' [cut]')).toBe('H [cut]');
});

it('is never longer than the length, even if the mark is', () => {
  expect(shorten('Holdword', 3, ' [cut]')).toBe(' [c');
  expect(shorten('Holdword', 0)).toBe('');
});

it('does not cut a character in half', () => {
  expect(shorten('ab😀cd', 4)).toBe('ab…');
  expect(shorten('ab😀cd', 5)).toBe('ab😀…');
});

it.each([
  ['a//', '/', 'a'],
  ['//a', '/', '//a'],
  ['a\r\n\n', '\r\n', 'a'],
  ['...', '.', ''],
  ['', '/', ''],
])('trims the end of %j', (text, characters, trimmed) => {
  expect(trimEndOf(text, characters)).toBe(trimmed);
});
