import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readTail } from './output-tail.ts';

function streamOf(...texts: string[]): Readable {
  return Readable.from(
    texts.map((text) => Buffer.from(text)),
    { objectMode: false },
  );
}

test('keeps everything that fits', async () => {
  expect(await readTail(streamOf('one ', 'two'), 7)).toBe('one two');
  expect(await readTail(streamOf(), 7)).toBe('');
});

test('keeps the end of what does not fit', async () => {
  expect(await readTail(streamOf('first', 'second', 'third'), 8)).toBe('ondthird');
});

test('does not split a character, at the start or at the end', async () => {
  expect(await readTail(streamOf('ää€'), 4)).toBe('€');
  const euro = Buffer.from('€');
  const cut = Readable.from([Buffer.from('a'), euro.subarray(0, 2)], { objectMode: false });
  expect(await readTail(cut, 10)).toBe('a');
});

test('returns what had arrived when the stream was closed early', async () => {
  const stream = new Readable({ read: () => {} });
  stream.push('so far');
  const tail = readTail(stream, 100);
  await expect.poll(() => stream.readableLength).toBe(0);
  stream.destroy();
  expect(await tail).toBe('so far');
});
