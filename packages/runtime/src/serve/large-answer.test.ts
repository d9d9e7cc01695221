import { EventEmitter, once } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';
import { connect, type Socket } from 'node:net';
import type { Task } from '@holdword/protocol';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LazyList, LazyText } from '@holdword/protocol/internal';
import { UnreadAnswers } from './large-answer.ts';
import { fakeOperations } from './testing/fake-operations.ts';
import { callJsonRpc, callRest, startTestServer } from './testing/test-server.ts';

const CHUNK = 'ä"'.repeat(32 * 1024);

function plainTask(chunks: number): Task {
  const parts = [{ text: CHUNK.repeat(chunks) }];
  return {
    id: 't',
    contextId: 'c',
    status: { state: 'TASK_STATE_WORKING' },
    artifacts: [{ artifactId: 'a', parts }],
  };
}

/** The same task, whose text is read while it is written. */
function lazyTask(chunks: number, onPiece: () => void = () => {}): Task {
  async function* texts() {
    for (let index = 0; index < chunks; index += 1) {
      onPiece();
      yield CHUNK;
    }
  }
  async function* artifacts() {
    yield { artifactId: 'a', parts: [{ text: new LazyText(texts()) }] };
  }
  return { ...plainTask(0), artifacts: new LazyList(artifacts()) } as unknown as Task;
}

function serving(getTask: () => Task) {
  return fakeOperations({
    getTask: async () => getTask(),
    subscribeToTask: async () =>
      (async function* () {
        yield [{ json: '', lazy: { task: getTask() }, sequence: 7 }];
        yield [{ json: '{"message":{}}' }];
      })(),
  });
}

/** A GetTask over a bare socket, which reads only when the test does. */
async function requestTask(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write('GET /a2a/rest/tasks/t HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\n\r\n');
  return socket;
}

describe('a large answer', () => {
  const V03 = { 'A2A-Version': '0.3' };

  test.each([
    ['in memory', () => plainTask(10)],
    ['read while it is written', () => lazyTask(10)],
  ])('%s arrives complete over every binding and version', async (_, task) => {
    const url = await startTestServer({ operations: serving(task) });
    const text = CHUNK.repeat(10);
    expect(await (await callRest(url, 'GET', '/tasks/t')).json()).toEqual(plainTask(10));
    const rpc = await (await callJsonRpc(url, 'GetTask', { id: 't' })).json();
    expect(rpc).toEqual({ jsonrpc: '2.0', id: 'r-1', result: plainTask(10) });
    const legacy = await (await callJsonRpc(url, 'tasks/get', { id: 't' }, V03)).json();
    expect(legacy).toMatchObject({
      result: { kind: 'task', artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text }] }] },
    });
    const proto = await (await callRest(url, 'GET', '/v1/tasks/t', undefined, V03)).json();
    expect(proto).toMatchObject({ artifacts: [{ artifactId: 'a', parts: [{ text }] }] });
  });

  test('is the first event of a stream, in one frame', async () => {
    const url = await startTestServer({
      operations: serving(() => lazyTask(10)),
      limits: { keepAliveSeconds: 0.02 },
    });
    const stream = await (await callRest(url, 'GET', '/tasks/t:subscribe')).text();
    const [first = '', second] = stream.split('\n\n');
    expect(first).toMatch(/^id: 7\ndata: \{"task":/);
    expect(JSON.parse(first.slice('id: 7\ndata: '.length))).toEqual({ task: plainTask(10) });
    expect(second).toBe('data: {"message":{}}');
    const legacy = await (await callJsonRpc(url, 'tasks/resubscribe', { id: 't' }, V03)).text();
    expect(legacy.split('\n\n')[0]).toContain('"parts":[{"kind":"text","text":"ä');
  });

  test('is read no faster than its client reads, and its client is cut off if it reads nothing', async () => {
    let pulled = 0;
    const operations = serving(() => lazyTask(5_000, () => (pulled += 1)));
    const limits = { keepAliveSeconds: 0.1, stalledStreamSeconds: 2 };
    const socket = await requestTask(await startTestServer({ operations, limits }));
    socket.pause();
    const closed = once(socket, 'close');
    await vi.waitFor(() => expect(pulled).toBeGreaterThan(0));
    // The server closes the connection; its end is seen once the buffered data is read.
    await vi.waitFor(() => expect(pulled).toBeLessThan(1_000));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    socket.resume();
    await closed;
    expect(pulled).toBeLessThan(1_000);
  }, 20_000);

  test('in memory is cut off too if its client reads nothing', async () => {
    const operations = serving(() => plainTask(300));
    const limits = { keepAliveSeconds: 0.1, stalledStreamSeconds: 1 };
    const socket = await requestTask(await startTestServer({ operations, limits }));
    socket.pause();
    let received = 0;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    socket.on('data', (data: Buffer) => (received += data.length));
    const closed = once(socket, 'close');
    socket.resume();
    await closed;
    expect(received).toBeLessThan(Buffer.byteLength(CHUNK) * 300);
  }, 20_000);

  test('that fails midway ends its connection, so that nobody takes it for complete', async () => {
    const operations = serving(() =>
      lazyTask(10, () => {
        throw new Error('The journal is gone.');
      }),
    );
    const url = await startTestServer({ operations });
    await expect(callRest(url, 'GET', '/tasks/t').then((response) => response.text())).rejects.toThrow();
  });
});

describe('answers of gRPC that are not read', () => {
  class Stream extends EventEmitter {
    closed = false;
    close(): void {
      this.closed = true;
      this.emit('close');
    }
  }
  const KIB_100 = 100 * 1024;

  function add(answers: UnreadAnswers, caller: string): Stream {
    const stream = new Stream();
    answers.add(caller, stream as unknown as ServerHttp2Stream, KIB_100);
    return stream;
  }

  test('make room for those of others, oldest first, and not for their own caller', () => {
    const answers = new UnreadAnswers(60, 5 * KIB_100);
    const [first, second] = [1, 2, 3, 4, 5].map(() => add(answers, 'alice'));
    expect(() => add(answers, 'alice')).toThrow('too many large answers');
    add(answers, 'bob');
    expect([first?.closed, second?.closed]).toEqual([true, false]);
    expect(answers.heldBytes).toBe(5 * KIB_100);
  });

  test('count until they are read', () => {
    const answers = new UnreadAnswers(60);
    const stream = add(answers, 'alice');
    expect(answers.heldBytes).toBe(KIB_100);
    stream.close();
    expect(answers.heldBytes).toBe(0);
  });
});
