import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LargeText } from './large-text.ts';

async function openText(text: string): Promise<LargeText> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-text-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'text.txt'), text);
  return LargeText.open(join(folder, 'text.txt'));
}

/** Characters of one to four bytes, so that blocks end inside of them. */
const TEXT = Array.from(
  { length: 60_000 },
  (_, index) => `${index} é € \u{1F600} ${'x'.repeat(index % 7)}`,
).join('\n');

test('a text has the length and lines of its string', async () => {
  const text = await openText(TEXT);
  expect([text.length, text.lines]).toEqual([TEXT.length, 60_000]);
  const empty = await openText('');
  expect([empty.length, empty.lines, await empty.slice(0, 10)]).toEqual([0, 1, '']);
});

test('ranges of characters are those of the string', async () => {
  const text = await openText(TEXT);
  for (const [start, end] of [
    [0, 10],
    [262_000, 262_300],
    [500_000, 500_100],
    [TEXT.length - 5, TEXT.length],
    [TEXT.length - 5, TEXT.length + 100],
  ] as const) {
    expect(await text.slice(start, end)).toBe(TEXT.slice(start, end));
  }
});

test('lines begin where they do in the string', async () => {
  const text = await openText(TEXT);
  const starts = [0];
  for (let at = TEXT.indexOf('\n'); at !== -1; at = TEXT.indexOf('\n', at + 1)) starts.push(at + 1);
  for (const line of [1, 2, 9_999, 30_000, 59_999, 60_000]) {
    expect(await text.startOfLine(line)).toBe(starts[line - 1]);
  }
  expect(await text.startOfLine(60_001)).toBe(TEXT.length + 1);
});

test('pieces are the whole text, with the numbers of their lines', async () => {
  const text = await openText(TEXT);
  const lines: string[] = [];
  for await (const piece of text.pieces()) {
    expect(piece.line).toBe(lines.length + 1);
    lines.push(...piece.text.split('\n'));
  }
  expect(lines.join('\n') === TEXT).toBe(true);
});

test('a long line comes in several pieces', async () => {
  const text = await openText('x'.repeat(3_000_000));
  let length = 0;
  for await (const piece of text.pieces()) {
    expect([piece.line, piece.text.length < 2_000_000]).toEqual([1, true]);
    length += piece.text.length;
  }
  expect(length).toBe(3_000_000);
});
