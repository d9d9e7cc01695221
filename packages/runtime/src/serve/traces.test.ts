import { SendMessageRequest } from '@a2a-js/sdk';
import { A2AService } from '@holdword/protocol/internal/grpc';
import { openMemoryStore } from '@holdword/store';
import { context, SpanKind, trace } from '@opentelemetry/api';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Executor, Turn } from '../executors/executor.ts';
import { recordSpans } from '../observe/testing/recording-tracer.ts';
import { startRuntime } from '../runtime.ts';
import { serveRuntime, type ServedAgent } from './serve-runtime.ts';
import { grpcClient } from './testing/grpc-client.ts';
import { callJsonRpc, callRest, MESSAGE } from './testing/test-server.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER_SPAN = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${CALLER_SPAN}-01`;
const HEADERS = { traceparent: TRACEPARENT, tracestate: 'vendor=1' };

async function serve(execute: Executor['execute'], more: Partial<Executor> = {}): Promise<ServedAgent> {
  const runtime = await startRuntime({ store: openMemoryStore(), executor: { execute, ...more } });
  onTestFinished(() => runtime.stop({ graceMilliseconds: 0 }));
  const served = await serveRuntime({ runtime, port: 0, grpcPort: 0 });
  onTestFinished(() => served.close({ graceMilliseconds: 0 }));
  return served;
}

describe('without an SDK', () => {
  it('the turn gets the trace of its caller, on every binding', async () => {
    const traces: Turn['trace'][] = [];
    const served = await serve(async (turn) => void traces.push(turn.trace));
    await callJsonRpc(served.url, 'SendMessage', { message: MESSAGE }, HEADERS);
    await callRest(served.url, 'POST', '/message:send', { message: MESSAGE }, HEADERS);
    const legacy = { ...MESSAGE, kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hello' }] };
    await callJsonRpc(served.url, 'message/send', { message: legacy }, { ...HEADERS, 'A2A-Version': '0.3' });
    await grpcClient(served.grpcAddress ?? '').unary(
      A2AService.sendMessage,
      SendMessageRequest.fromJSON({ message: MESSAGE }),
      HEADERS,
    );
    expect(traces).toEqual([HEADERS, HEADERS, HEADERS, HEADERS]);
  });

  it('a malformed trace is not passed on', async () => {
    const traces: Turn['trace'][] = [];
    const served = await serve(async (turn) => void traces.push(turn.trace));
    await callJsonRpc(served.url, 'SendMessage', { message: MESSAGE }, { traceparent: 'nonsense' });
    expect(traces).toEqual([undefined]);
  });

  it('a turn that another process resumes belongs to the same trace', async () => {
    const store = openMemoryStore();
    const begun = Promise.withResolvers<void>();
    const first = await startRuntime({
      store,
      executor: {
        execute: ({ signal }) => {
          begun.resolve();
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
        },
        resume: async () => {},
      },
    });
    const served = await serveRuntime({ runtime: first, port: 0 });
    const request = { message: MESSAGE, configuration: { returnImmediately: true } };
    await callJsonRpc(served.url, 'SendMessage', request, HEADERS);
    await begun.promise;
    await first.stop({ graceMilliseconds: 0 });
    await served.close({ graceMilliseconds: 0 });

    const resumed = Promise.withResolvers<Turn>();
    const second = await startRuntime({
      store,
      executor: { execute: async () => {}, resume: async (turn) => resumed.resolve(turn) },
    });
    onTestFinished(() => second.stop({ graceMilliseconds: 0 }));
    expect((await resumed.promise).trace).toEqual(HEADERS);
  });
});

describe('with an SDK', () => {
  const spans = recordSpans();

  it("a request and its turn are spans of the caller's trace", async () => {
    const turns: Turn['trace'][] = [];
    let active: string | undefined;
    const served = await serve(async (turn) => {
      turns.push(turn.trace);
      active = trace.getSpanContext(context.active())?.spanId;
    });
    await callJsonRpc(served.url, 'SendMessage', { message: MESSAGE }, HEADERS);
    await expect.poll(() => spans.filter(({ ended }) => ended)).toHaveLength(2);
    const [call, turn] = spans;
    expect(call).toMatchObject({
      name: 'sendMessage',
      kind: SpanKind.SERVER,
      attributes: { 'a2a.binding': 'JSONRPC', 'a2a.version': '1.0' },
      parent: { traceId: TRACE, spanId: CALLER_SPAN, isRemote: true },
    });
    expect(turn).toMatchObject({
      name: 'turn',
      parent: { traceId: TRACE, spanId: call?.context.spanId },
    });
    expect(active).toBe(turn?.context.spanId);
    expect(turns).toEqual([
      { traceparent: `00-${TRACE}-${turn?.context.spanId}-01`, tracestate: 'vendor=1' },
    ]);
  });

  it('spans have the attributes that OpenTelemetry drafts for A2A as well', async () => {
    const served = await serve(async (_, sink) => sink.fail('no'));
    const message = { ...MESSAGE, contextId: 'c-1', referenceTaskIds: ['t-1'] };
    await callJsonRpc(served.url, 'SendMessage', { message, tenant: 'acme' });
    await callRest(served.url, 'GET', '/tasks/unknown');
    await expect.poll(() => spans.filter(({ ended }) => ended)).toHaveLength(3);
    const [call, turn, get] = spans.map(({ attributes }) => attributes);
    expect(call).toEqual({
      'rpc.system': 'a2a',
      'rpc.method': 'sendMessage',
      'a2a.binding': 'JSONRPC',
      'a2a.version': '1.0',
      'a2a.method.name': 'SendMessage',
      'a2a.protocol.version': '1.0',
      'a2a.tenant': 'acme',
      'a2a.message.id': MESSAGE.messageId,
      'a2a.message.reference_task_ids': ['t-1'],
      'a2a.task.id': turn?.['a2a.task.id'],
      'gen_ai.conversation.id': 'c-1',
    });
    expect(turn).toEqual({
      'a2a.task.id': expect.any(String) as string,
      'a2a.context.id': 'c-1',
      'gen_ai.conversation.id': 'c-1',
      'a2a.resumed': false,
      'a2a.task.state': 'TASK_STATE_FAILED',
      'error.type': 'TASK_STATE_FAILED',
    });
    expect(get).toMatchObject({
      'a2a.method.name': 'GetTask',
      'a2a.task.id': 'unknown',
      'error.type': 'TASK_NOT_FOUND',
    });
  });

  it('a failure is marked on its span', async () => {
    const served = await serve(async (_, sink) => sink.fail('no'));
    await callRest(served.url, 'POST', '/message:send', { message: MESSAGE });
    await callRest(served.url, 'GET', '/tasks/unknown');
    await grpcClient(served.grpcAddress ?? '')
      .unary(A2AService.getTask, { tenant: '', id: 'unknown', historyLength: undefined })
      .catch(() => {});
    await expect.poll(() => spans.filter(({ ended }) => ended)).toHaveLength(4);
    expect(spans.map(({ name, status }) => [name, status?.message])).toEqual([
      ['sendMessage', undefined],
      ['turn', 'TASK_STATE_FAILED'],
      ['getTask', 'TASK_NOT_FOUND'],
      ['getTask', 'TASK_NOT_FOUND'],
    ]);
  });
});
