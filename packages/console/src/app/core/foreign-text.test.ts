import { expect, test } from 'vitest';
import { visibleLine, visibleText, webAddress } from './foreign-text.ts';

test('characters that turn a line around or ring a bell are made visible', () => {
  expect(visibleText('a\u202Eb\u0007c\u001b[31md\te\n')).toBe('a\ufffdb\ufffdc\ufffd[31md\te\n');
});

test('a line is one line and short', () => {
  expect(visibleLine('  one\n\n two  ')).toBe('one two');
  expect(visibleLine('x'.repeat(1000), 10)).toBe(`${'x'.repeat(10)}…`);
});

test.each(['https://example.com/a?b', 'http://127.0.0.1:80/'])('%s is a link', (href) => {
  expect(webAddress(href)?.href).toBe(new URL(href).href);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'blob:https://example.com/1',
  'file:///etc/passwd',
  'https://example.com@evil.example/',
  '//example.com',
  '/relative',
  'vbscript:x',
])('%s is none', (href) => {
  expect(webAddress(href)).toBeUndefined();
});
