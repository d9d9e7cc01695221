import { array, assert, asyncProperty, integer } from 'fast-check';
import { expect, test } from 'vitest';
import { readServerSentEvents, type ServerSentEvent } from './read-server-sent-events.ts';

async function* inChunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let start = 0;
  for (const size of sizes) {
    yield bytes.subarray(start, start + size);
    start += size;
  }
  yield bytes.subarray(start);
}

const tooLong = (): Error => new Error('too long');

async function read(text: string, sizes: readonly number[] = [], limit = 10_000): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  const body = inChunks(Buffer.from(text), sizes);
  for await (const event of readServerSentEvents(body, { length: limit, tooLong })) events.push(event);
  return events;
}

const STREAM =
  '\uFEFF: a comment\n\nid: 1\ndata: first\n\nevent: error\r\ndata:{"é":"😀"}\r\ndata: second line\r\n\r\n' +
  'id:3\rdata\r\rretry: 5\n\ndata: cut off by the end';

const EVENTS = [
  { type: 'message', data: 'first', id: '1' },
  { type: 'error', data: '{"é":"😀"}\nsecond line' },
  { type: 'message', data: '', id: '3' },
];

test('parses IDs, types, multiple lines, comments and every line ending', async () => {
  expect(await read(STREAM)).toEqual(EVENTS);
});

test('parses events that are split at any byte', async () => {
  await assert(
    asyncProperty(array(integer({ min: 0, max: 9 })), async (sizes) => {
      expect(await read(STREAM, sizes)).toEqual(EVENTS);
    }),
  );
});

test('rejects an event that is too large, in one line or in many', async () => {
  await expect(read(`data: ${'x'.repeat(200)}`, [], 100)).rejects.toThrow('too long');
  await expect(read('data: 0123456789\n'.repeat(20), [], 100)).rejects.toThrow('too long');
  expect(await read('data: 0123456789\n\n'.repeat(20), [], 100)).toHaveLength(20);
});

test('counts lines without content, of which the parser keeps little, in chunks of any size', async () => {
  for (const line of ['data:\n', 'data\r', 'event:\r\n', 'id:\n', 'retry: x\n', ':\n']) {
    const endless = line.repeat(1_000);
    await expect(read(endless, [], 1_000), JSON.stringify(line)).rejects.toThrow('too long');
    await expect(read(endless, [1, 1, 1, 1, 1, 1, 1], 1_000)).rejects.toThrow('too long');
  }
});

test('an empty line starts counting anew, wherever the chunks end', async () => {
  const comments = ': still there\n\n'.repeat(100);
  for (const size of [1, 2, 15, 16]) {
    const sizes = Array.from({ length: Math.ceil(comments.length / size) }, () => size);
    expect(await read(`${comments}data: end\n\n`, sizes, 100)).toEqual([{ type: 'message', data: 'end' }]);
  }
});
