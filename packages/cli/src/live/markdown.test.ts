import { expect, test } from 'vitest';
import { MarkdownRenderer } from './markdown.ts';
import { beginningThatFits, endThatFits, textWidth, wrapText } from './text-width.ts';

function render(pieces: readonly string[], columns = 40): string {
  const markdown = new MarkdownRenderer(
    () => columns,
    (format, text) => `<${format}>${text}</>`,
  );
  return pieces.map((piece) => markdown.write(piece)).join('') + markdown.end();
}

test('the same text comes out however it is cut', () => {
  const text = '# Title\n\nSome **bold** text.\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n- item\n';
  expect(render(text.match(/[^]/g) ?? [])).toBe(render([text]));
  expect(render([text])).toBe(
    '<bold>Title</>\n\nSome <bold>bold</> text.\n\n<bold>a  b</>\n<dim>─  ─</>\n1  2\n\n• item\n',
  );
});

test('code stays as it is', () => {
  expect(render(['```\n**x** | y\n```\nafter `a*b*c`\n'])).toBe(
    '  <cyan>**x** | y</>\nafter <cyan>a*b*c</>\n',
  );
});

test('links show where they lead', () => {
  expect(render(['[bank](https://evil.example/)\n'], 80)).toBe(
    'bank (<underline>https://evil.example/</>)\n',
  );
});

test('a table that is too wide becomes a list of fields', () => {
  const table = '| name | text |\n|---|---|\n| one | a long text that does not fit |\n';
  expect(render([table], 20)).toBe('<dim>name:</> one\n<dim>text:</> a long text that does not fit\n');
});

test('words are wrapped by their width', () => {
  expect(wrapText('one two three four', 10)).toEqual(['one two', 'three four']);
  expect(textWidth('日本')).toBe(4);
  expect(textWidth('\u001b[1mab\u001b[22m')).toBe(2);
  expect(beginningThatFits('abcdef', 4)).toBe('abc…');
  expect(endThatFits('abcdef', 4)).toBe('…def');
});
