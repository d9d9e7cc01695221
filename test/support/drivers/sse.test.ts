import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttp } from './http-client.ts';
import { readSse, type SseFrame } from './sse.ts';

const BODIES: Record<string, string[]> = {
  '/whole': [': hello\n\nid: 1\ndata: {"a":1}\n\n', 'event: error\ndata: {"b":\ndata: 2}\n\n'],
  '/split': ['id: 1\nda', 'ta: {"a":1}\n', '\nevent: error\ndata: {"b":\ndata: 2}\n\n'],
  '/cut': ['id: 1\ndata: {"a":1}\n\nid: 2\ndata: {'],
};

const server = createServer((request, response) => {
  for (const chunk of BODIES[request.url ?? ''] ?? []) {
    response.write(chunk);
  }
  response.end();
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
});
afterAll(() => {
  server.close();
});

async function read(path: string): Promise<SseFrame[]> {
  const frames: SseFrame[] = [];
  for await (const frame of readSse(await openHttp({ url: `${url}${path}` }))) {
    frames.push(frame);
  }
  return frames;
}

test.each(['/whole', '/split'])('parses the frames of %s and ignores comments', async (path) => {
  expect(await read(path)).toEqual([
    { id: '1', data: '{"a":1}' },
    { event: 'error', data: '{"b":\n2}' },
  ]);
});

test('rejects an incomplete frame', async () => {
  await expect(read('/cut')).rejects.toThrow('ended within a frame');
});
