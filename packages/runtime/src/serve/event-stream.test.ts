import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { A2AError } from '@holdword/protocol';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import type { EventStream, RequestContext } from '../operations/operations.ts';
import { KeepAlive } from './event-stream.ts';
import { fakeOperations, framesOf, task } from './testing/fake-operations.ts';
import { failingStream, quietStream } from './testing/streams.ts';
import { callJsonRpc, callRest, MESSAGE, startTestServer } from './testing/test-server.ts';

/** A subscription over a bare socket, which reads only when the test does. */
async function subscribe(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(`GET /a2a/rest/tasks/t-1:subscribe HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\n\r\n`);
  return socket;
}

/** Operations whose subscription is the given stream. */
function streaming(stream: (context: RequestContext) => EventStream) {
  return fakeOperations({ subscribeToTask: async (_, context) => stream(context) });
}

async function* twoAtOnce(): EventStream {
  yield [{ json: '{"a":1}' }, { json: '{"b":2}', sequence: 12 }];
}

describe('startEventStream', () => {
  it('pulls nothing more while the client does not read, and continues when it does (J5)', async () => {
    const BATCH = 64 * 1024;
    let pulled = 0;
    async function* endless(): EventStream {
      for (;;) {
        pulled += 1;
        yield [{ json: JSON.stringify('x'.repeat(BATCH)), sequence: pulled }];
      }
    }
    const socket = await subscribe(await startTestServer({ operations: streaming(endless) }));
    socket.pause();

    let stalledAt = -1;
    await vi.waitFor(
      () => {
        const before = stalledAt;
        stalledAt = pulled;
        expect(pulled).toBeGreaterThan(0);
        expect(before).toBe(pulled);
      },
      { interval: 100, timeout: 10_000 },
    );
    // What was pulled is in the buffers of two sockets: a few megabytes, not an unlimited amount.
    expect(stalledAt * BATCH).toBeLessThan(32 * 1024 * 1024);

    socket.resume();
    await vi.waitFor(() => expect(pulled).toBeGreaterThan(stalledAt + 10));
  });

  it('fires the signal of the request when the client disconnects', async () => {
    let context: RequestContext | undefined;
    const stream = (given: RequestContext): EventStream => {
      context = given;
      return quietStream(given);
    };
    const socket = await subscribe(await startTestServer({ operations: streaming(stream) }));
    await once(socket, 'data');
    expect(context?.signal.aborted).toBe(false);
    socket.destroy();
    await vi.waitFor(() => expect(context?.signal.aborted).toBe(true));
  });

  it('writes comments on an idle stream', async () => {
    const limits = { keepAliveSeconds: 0.02 };
    const socket = await subscribe(await startTestServer({ operations: streaming(quietStream), limits }));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await vi.waitFor(() => expect(text.match(/^: keep-alive$/gm)?.length).toBeGreaterThan(2));
    expect(text).toContain('id: 1\ndata: {"task"');
  });

  it('ends streams when the server stops', async () => {
    const stopping = new AbortController();
    const url = await startTestServer({ operations: streaming(quietStream), signal: stopping.signal });
    const response = await callRest(url, 'GET', '/tasks/t-1:subscribe');
    stopping.abort();
    expect(await response.text()).toBe(`id: 1\ndata: ${task('t-1')}\n\n`);
  });

  it('writes several events of one batch, and no id for those without a sequence number', async () => {
    const response = await callRest(
      await startTestServer({ operations: streaming(twoAtOnce) }),
      'GET',
      '/tasks/t-1:subscribe',
    );
    expect(await response.text()).toBe('data: {"a":1}\n\nid: 12\ndata: {"b":2}\n\n');
  });

  it('ends with an error of the binding when the stream fails midway', async () => {
    const url = await startTestServer({ operations: streaming(failingStream) });

    const rest = await (await callRest(url, 'POST', '/tasks/t-1:subscribe')).text();
    const [, lastOfRest = ''] = rest.trimEnd().split('\n\n');
    expect(lastOfRest).toMatch(/^event: error\ndata: \{"error":\{"code":503,/);

    const jsonRpc = await (await callJsonRpc(url, 'SubscribeToTask', { id: 't-1' })).text();
    const [, lastOfJsonRpc = ''] = jsonRpc.trimEnd().split('\n\n');
    expect(JSON.parse(lastOfJsonRpc.slice('data: '.length))).toMatchObject({
      id: 'r-1',
      error: { code: -32095, message: 'The store is away.' },
    });
  });
});

/** A server whose streams open, or fail to, when the test says so. */
async function startSlowServer() {
  const opening = Promise.withResolvers<EventStream>();
  const operations = fakeOperations({ sendStreamingMessage: () => opening.promise });
  return { ...opening, url: await startTestServer({ operations, limits: { keepAliveSeconds: 0.02 } }) };
}

describe('a stream that takes long to open', () => {
  const V03 = { 'A2A-Version': '0.3' };
  const proto = { message: { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'hello' }] } };
  const legacy = {
    message: { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hello' }] },
  };
  const CALLS: [string, (url: string) => Promise<Response>, string][] = [
    [
      'JSON-RPC 1.0',
      (url) => callJsonRpc(url, 'SendStreamingMessage', { message: MESSAGE }),
      'TASK_STATE_CANCELED',
    ],
    ['JSON-RPC 0.3', (url) => callJsonRpc(url, 'message/stream', legacy, V03), 'canceled'],
    [
      'REST 1.0',
      (url) => callRest(url, 'POST', '/message:stream', { message: MESSAGE }),
      'TASK_STATE_CANCELED',
    ],
    ['REST 0.3', (url) => callRest(url, 'POST', '/v1/message:stream', proto, V03), 'TASK_STATE_CANCELLED'],
  ];

  it.each(CALLS)('has headers and comments before its events (%s)', async (_, call) => {
    const { url, resolve } = await startSlowServer();
    const response = await call(url);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain(': keep-alive');
    resolve(framesOf([task('t-1')]));
    let text = '';
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read())
      text += read.value;
    expect(text).toContain('"t-1"');
  });

  it.each(CALLS)(
    'reports its error as an event, in the words of its version (%s)',
    async (_, call, state) => {
      const { url, reject } = await startSlowServer();
      const response = await call(url);
      expect(response.status).toBe(200);
      reject(new A2AError('UNSUPPORTED_OPERATION', 'The task has ended (TASK_STATE_CANCELED).'));
      expect(await response.text()).toContain(`The task has ended (${state}).`);
    },
  );

  it.each(CALLS)('reports an error that comes at once as an ordinary response (%s)', async (_, call) => {
    const operations = fakeOperations({
      sendStreamingMessage: async () => {
        throw new A2AError('UNSUPPORTED_OPERATION', 'No.');
      },
    });
    const response = await call(await startTestServer({ operations }));
    expect(response.headers.get('content-type')).toMatch(/json/);
  });
});

test('an idle stream gets a comment within every interval, whenever it was opened', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const keepAlive = new KeepAlive({ keepAliveSeconds: 15, stalledStreamSeconds: 60 });
  const open = () => {
    const write = vi.fn();
    const response = { writableNeedDrain: false, write } as unknown as ServerResponse;
    const stream = { response, wroteSinceBeat: true, stalledSeconds: 0, end: () => {} };
    keepAlive.add(stream);
    onTestFinished(() => keepAlive.delete(stream));
    return write;
  };
  const first = open();
  vi.advanceTimersByTime(1_000);
  const second = open();
  vi.advanceTimersByTime(14_000);
  expect(first).toHaveBeenCalledTimes(1);
  expect(second).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(30_000);
  expect(first).toHaveBeenCalledTimes(3);
});

test('large answers have a limited share of the memory: a stalled one makes room, otherwise the next is rejected', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const keepAlive = new KeepAlive({ keepAliveSeconds: 15, stalledStreamSeconds: 600 });
  const HUNDRED_MIB = 100 * 1024 * 1024;
  const open = () => {
    const response = { writableNeedDrain: true, write: vi.fn(), destroy: vi.fn() };
    const answer = {
      response: response as unknown as ServerResponse,
      wroteSinceBeat: true,
      stalledSeconds: 0,
      heldBytes: HUNDRED_MIB,
    };
    keepAlive.requireRoom(HUNDRED_MIB);
    keepAlive.add(answer);
    onTestFinished(() => keepAlive.delete(answer));
    return { answer, ...response };
  };
  const stalled = open();
  const reading = open();
  expect(open).toThrow(expect.objectContaining({ code: 'RESOURCE_EXHAUSTED', retryAfterSeconds: 5 }));
  for (let beat = 0; beat < 3; beat += 1) {
    vi.advanceTimersByTime(7_500);
    reading.answer.wroteSinceBeat = true;
  }
  open();
  expect(stalled.destroy).toHaveBeenCalled();
  expect(reading.destroy).not.toHaveBeenCalled();
  expect(stalled.write).not.toHaveBeenCalled();
  expect(open).toThrow(expect.objectContaining({ code: 'RESOURCE_EXHAUSTED' }));
  keepAlive.delete(reading.answer);
  open();
});
