import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import { status } from '@grpc/grpc-js';
import { A2AError, type JsonObject, RESUME_EXTENSION } from '@holdword/protocol';
import { GRPC_STATUS_DETAILS_TRAILER } from '@holdword/protocol/internal';
import { A2AService, grpcProcedure, LegacyA2AService } from '@holdword/protocol/internal/grpc';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../defaults.ts';
import { noopLog } from '../log.ts';
import { noopObserver } from '../observe/observer.ts';
import type { EventStream, RequestContext } from '../operations/operations.ts';
import { Admission } from './admission.ts';
import { noAuthentication } from './auth/authentication.ts';
import { startGrpcServer, type GrpcServerOptions } from './grpc-server.ts';
import { fakeOperations, task } from './testing/fake-operations.ts';
import { grpcClient } from './testing/grpc-client.ts';
import { failingStream, quietStream } from './testing/streams.ts';
import { userAuthentication } from './testing/user-authentication.ts';

async function start(options: Partial<GrpcServerOptions> = {}) {
  const server = await startGrpcServer({
    operations: fakeOperations(),
    host: '127.0.0.1',
    port: 0,
    authentication: noAuthentication(),
    admission: new Admission(),
    log: noopLog,
    observer: noopObserver,
    ...options,
  });
  onTestFinished(() => server.close(0));
  return { ...server, ...grpcClient(`127.0.0.1:${server.port}`) };
}

const requestSerialize = () => Buffer.from([0xff, 0xff]);
const getTask = (id: string) => ({ tenant: '', id, historyLength: undefined });
const subscription = { tenant: '', id: 't-1' };

describe('the 1.0 service', () => {
  it('answers a call and names the active extensions', async () => {
    const operations = fakeOperations();
    const server = await start({ operations, authentication: userAuthentication });
    const { response, metadata } = await server.unary(
      A2AService.getTask,
      { ...getTask('t-7'), tenant: 'acme' },
      {
        'x-user': 'alice',
        'a2a-extensions': RESUME_EXTENSION,
        'holdword-resume-after': '4',
        'a2a-version': '1.0.2',
      },
    );
    expect(response).toMatchObject({ id: 't-7', contextId: 'c-1' });
    expect(metadata.get('a2a-extensions')).toEqual([RESUME_EXTENSION]);
    expect(operations.calls[0]).toMatchObject({
      owner: { tenant: 'acme', caller: 'alice', authenticated: true },
      resumeAfter: 4,
    });
  });

  it('streams events in order and ends', async () => {
    const server = await start();
    const cases: unknown[] = [];
    for await (const event of server.stream(A2AService.subscribeToTask, subscription))
      cases.push(event.payload?.$case);
    expect(cases).toEqual(['task', 'statusUpdate']);
  });

  it.each([
    ['unknown', 'TASK_NOT_FOUND', status.NOT_FOUND],
    ['broken', 'INTERNAL', status.INTERNAL],
    ['', 'INVALID_PARAMS', status.INVALID_ARGUMENT],
  ])('answers for the task "%s" with the status of %s and its details', async (id, reason, code) => {
    const server = await start();
    const error = await server.unary(A2AService.getTask, getTask(id)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, details: expect.not.stringContaining('secret') });
    expect(detailsOf(error)).toContain(reason);
  });

  it('answers a stream that is rejected, or fails midway, with its status', async () => {
    const operations = fakeOperations({
      subscribeToTask: async ({ id }) => {
        if (id === 'ended') throw new A2AError('UNSUPPORTED_OPERATION', 'The task has ended.');
        return failingStream();
      },
    });
    const server = await start({ operations });
    const read = async (id: string) => {
      let count = 0;
      try {
        for await (const _ of server.stream(A2AService.subscribeToTask, { tenant: '', id })) count += 1;
      } catch (error) {
        return { count, error };
      }
      return { count };
    };
    const refused = await read('ended');
    expect(refused).toMatchObject({ count: 0, error: { code: status.FAILED_PRECONDITION } });
    expect(detailsOf(refused.error)).toContain('UNSUPPORTED_OPERATION');
    const cut = await read('t-1');
    expect(cut).toMatchObject({
      count: 1,
      error: { code: status.UNAVAILABLE, details: 'The store is away.' },
    });
    expect(detailsOf(cut.error)).toContain('UNAVAILABLE');
  });

  it('begins a stream that takes long to open, and ends it with its status', async () => {
    const opening = Promise.withResolvers<EventStream>();
    const operations = fakeOperations({ subscribeToTask: () => opening.promise });
    const server = await start({ operations });
    const call = server.stream(A2AService.subscribeToTask, subscription);
    const failed = once(call, 'error');
    await once(call, 'metadata');
    opening.reject(new A2AError('UNSUPPORTED_OPERATION', 'The task has ended.'));
    call.resume();
    expect(await failed).toMatchObject([
      { code: status.FAILED_PRECONDITION, details: 'The task has ended.' },
    ]);
  });

  it.each([{}, { 'x-user': 'wrong' }])('rejects the credential %j before anything else', async (headers) => {
    const operations = fakeOperations();
    const server = await start({ operations, authentication: userAuthentication });
    await expect(server.unary(A2AService.getTask, getTask('unknown'), headers)).rejects.toMatchObject({
      code: status.UNAUTHENTICATED,
    });
    const [error] = await once(server.stream(A2AService.subscribeToTask, subscription, headers), 'error');
    expect(error).toMatchObject({ code: status.UNAUTHENTICATED });
    expect(operations.calls).toEqual([]);
  });

  it.each(['0.3', '2.0'])('rejects metadata that asks for version %s', async (version) => {
    const server = await start();
    const error = await server
      .unary(A2AService.getTask, getTask('t-1'), { 'a2a-version': version })
      .catch((thrown: unknown) => thrown);
    expect(detailsOf(error)).toContain('VERSION_NOT_SUPPORTED');
  });

  it('rejects a message over the limit', async () => {
    const server = await start({ limits: { bodyBytes: 1000 } });
    await expect(server.unary(A2AService.getTask, getTask('x'.repeat(2000)))).rejects.toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
    });
  });

  it('rejects a request that is nested too deeply, in both versions', async () => {
    const server = await start();
    const send = (levels: number, version: '1.0' | '0.3') => {
      let data: unknown = 'end';
      for (let level = 0; level < levels; level += 1) data = { a: data };
      const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ data: data as JsonObject }] };
      const { path, encodeRequest } = grpcProcedure('sendMessage', version);
      const method = { ...A2AService.getTask, path, requestSerialize: () => encodeRequest({ message }) };
      return server.unary({ ...method, responseDeserialize: () => ({}) as never }, {} as never);
    };
    for (const version of ['1.0', '0.3'] as const) {
      await send(50, version);
      const error = await send(150, version).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: status.INVALID_ARGUMENT,
        details: expect.stringContaining('too deeply'),
      });
      expect(detailsOf(error)).toContain('INVALID_PARAMS');
    }
  });

  it('rejects malformed bytes as a mistake of the client, in both versions', async () => {
    const server = await start();
    const answers = await Promise.allSettled([
      server.unary({ ...A2AService.getTask, requestSerialize }, getTask('t-1')),
      server.unary({ ...LegacyA2AService.cancelTask, requestSerialize }, { name: 'tasks/t-1' }),
    ]);
    for (const answer of answers) {
      const error: unknown = answer.status === 'rejected' ? answer.reason : undefined;
      expect(error).toMatchObject({ code: status.INVALID_ARGUMENT });
      expect(detailsOf(error)).toContain('PARSE_ERROR');
    }
  });

  it('pulls nothing more while the client does not read (J5)', async () => {
    let pulled = 0;
    const metadata = { filler: 'x'.repeat(64 * 1024) };
    async function* endless(): EventStream {
      for (;;) {
        pulled += 1;
        yield [
          { json: JSON.stringify({ task: { ...JSON.parse(task('t-1')).task, metadata } }), sequence: pulled },
        ];
      }
    }
    const server = await start({
      operations: fakeOperations({ subscribeToTask: async () => endless() }),
    });
    const reader = server.stream(A2AService.subscribeToTask, subscription);
    reader.on('error', () => {});
    onTestFinished(() => reader.cancel());
    reader.once('readable', () => {});

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
    expect(stalledAt).toBeLessThan(500);
    reader.resume();
    await vi.waitFor(() => expect(pulled).toBeGreaterThan(stalledAt + 10));
  });

  it('closes a large answer that its client does not read, and answers others meanwhile', async () => {
    const ended = { state: 'TASK_STATE_COMPLETED' as const };
    const artifacts = [{ artifactId: 'a', parts: [{ text: 'x'.repeat(1_000_000) }] }];
    const operations = fakeOperations({
      getTask: async ({ id }) => ({
        id,
        contextId: 'c',
        status: ended,
        ...(id === 'large' && { artifacts }),
      }),
    });
    const server = await start({ operations, limits: { ...DEFAULT_LIMITS, stalledStreamSeconds: 1 } });
    const session = connect(`http://127.0.0.1:${server.port}`);
    onTestFinished(() => session.destroy());
    const unread = session.request({
      ':method': 'POST',
      ':path': A2AService.getTask.path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    unread.on('error', () => {});
    unread.pause();
    const message = A2AService.getTask.requestSerialize(getTask('large'));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    unread.end(Buffer.concat([head, message]));
    const closed = new Promise((resolve) => unread.once('close', resolve));
    await once(unread, 'response');
    expect((await server.unary(A2AService.getTask, getTask('large'))).response).toMatchObject({
      id: 'large',
    });
    await closed;
    expect(unread.rstCode).toBe(constants.NGHTTP2_CANCEL);
  });

  it('fires the signal of the call when the client cancels, and when the server stops', async () => {
    const calls: RequestContext[] = [];
    const operations = fakeOperations({
      subscribeToTask: async (_, context) => {
        calls.push(context);
        return quietStream(context);
      },
    });
    const server = await start({ operations });
    const cancelled = server.stream(A2AService.subscribeToTask, subscription).on('error', () => {});
    await once(cancelled, 'data');
    cancelled.cancel();
    await vi.waitFor(() => expect(calls[0]?.signal.aborted).toBe(true));

    const ended = server.stream(A2AService.subscribeToTask, subscription);
    await once(ended, 'data');
    ended.resume();
    await Promise.all([once(ended, 'end'), server.close(5_000)]);
    expect(calls[1]?.signal.aborted).toBe(true);
  });
});

describe('the 0.3 service', () => {
  const part = { part: { $case: 'text' as const, value: 'hello' } };
  const message = {
    messageId: 'm-1',
    contextId: '',
    taskId: '',
    role: 1,
    content: [part],
    metadata: undefined,
    extensions: [],
  };

  it('answers calls and streams', async () => {
    const server = await start();
    const sent = await server.unary(LegacyA2AService.sendMessage, {
      request: message,
      configuration: undefined,
      metadata: undefined,
    });
    expect(sent.response.payload).toMatchObject({
      $case: 'task',
      value: { id: 't-1', history: [{ messageId: 'm-1' }] },
    });
    const cases: unknown[] = [];
    for await (const event of server.stream(LegacyA2AService.taskSubscription, { name: 'tasks/t-1' })) {
      cases.push(event.payload?.$case);
    }
    expect(cases).toEqual(['task', 'statusUpdate']);
  });

  it('describes errors in its own terms', async () => {
    const server = await start();
    const configuration = {
      acceptedOutputModes: [],
      historyLength: 0,
      blocking: true,
      pushNotification: { id: '', url: '', token: '', authentication: undefined },
    };
    await expect(
      server.unary(LegacyA2AService.sendMessage, {
        request: { ...message, content: [] },
        configuration,
        metadata: undefined,
      }),
    ).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details:
        'InvalidParamsError: Invalid parameters. message.content: expected an array, found nothing; ' +
        'configuration.pushNotification.url: expected a string, found nothing.',
    });
  });

  it('treats a history length of zero as none', async () => {
    const lengths: unknown[] = [];
    const operations = fakeOperations({
      getTask: async (request) => {
        lengths.push(request.historyLength);
        throw new A2AError('TASK_NOT_FOUND', 'Not here.');
      },
    });
    const server = await start({ operations });
    for (const historyLength of [0, 3]) {
      await expect(
        server.unary(LegacyA2AService.getTask, { name: 'tasks/t-1', historyLength }),
      ).rejects.toMatchObject({
        code: status.NOT_FOUND,
      });
    }
    expect(lengths).toEqual([undefined, 3]);
  });

  it.each([
    ['no message', undefined],
    ['no parts', { ...message, content: [] }],
    ['no role', { ...message, role: 0 }],
  ])('rejects %s as invalid', async (_, request) => {
    const server = await start();
    await expect(
      server.unary(LegacyA2AService.sendMessage, { request, configuration: undefined, metadata: undefined }),
    ).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  });
});

/** The status details of a failed call as text, to find a reason in. */
function detailsOf(error: unknown): string {
  const { metadata } = error as { metadata: { get(name: string): (string | Buffer)[] } };
  const [details] = metadata.get(GRPC_STATUS_DETAILS_TRAILER);
  expect(details).toBeInstanceOf(Buffer);
  return String(details);
}
