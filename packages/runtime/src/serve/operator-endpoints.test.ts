import { openMemoryStore } from '@holdword/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demoAgent } from '../executors/demo-agent.ts';
import { createMetrics } from '../observe/metrics.ts';
import { observeWith, type EndedRequest, type StateChange } from '../observe/observer.ts';
import { createReadiness } from '../observe/readiness.ts';
import { startRuntime } from '../runtime.ts';
import { serveRuntime, type ServedAgent } from './serve-runtime.ts';
import { callJsonRpc, callRest, MESSAGE, startTestServer } from './testing/test-server.ts';
import { userAuthentication } from './testing/user-authentication.ts';

const ECHO = { ...MESSAGE, parts: [{ text: 'echo hello' }] };

describe('/readyz', () => {
  it('says that the server is ready, and why not while it stops', async () => {
    const store = openMemoryStore();
    const runtime = await startRuntime({ store, executor: demoAgent });
    const readiness = createReadiness({ store, health: () => runtime.health, cacheMilliseconds: 0 });
    const url = await startTestServer({ readiness });
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: 'ready',
      checks: { running: { ok: true }, store: { ok: true }, heartbeat: { ok: true } },
    });
    await runtime.stop({ graceMilliseconds: 0 });
    const stopping = await fetch(`${url}/readyz`);
    expect(stopping.status).toBe(503);
    expect(await stopping.json()).toMatchObject({ status: 'not ready', checks: { running: { ok: false } } });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('does not exist without checks', async () => {
    expect((await fetch(`${await startTestServer()}/readyz`)).status).toBe(404);
  });
});

describe('/metrics', () => {
  const source = createMetrics({ processMetrics: false });

  it('requires a credential if the agent does', async () => {
    const url = await startTestServer({
      authentication: userAuthentication,
      metrics: { source, public: false },
    });
    const refused = await fetch(`${url}/metrics`);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    const allowed = await fetch(`${url}/metrics`, { headers: { 'X-User': 'me' } });
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get('content-type')).toContain('text/plain');
    expect(await allowed.text()).toContain('# TYPE holdword_requests_total counter');
  });

  it('is public if the operator says so', async () => {
    const url = await startTestServer({
      authentication: userAuthentication,
      metrics: { source, public: true },
    });
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
  });

  it('does not exist unless it is turned on', async () => {
    expect((await fetch(`${await startTestServer()}/metrics`)).status).toBe(404);
  });
});

describe('an observer', () => {
  it('is told of every request and state', async () => {
    const calls: EndedRequest[] = [];
    const changes: StateChange[] = [];
    const metrics = createMetrics({ processMetrics: false });
    const observer = observeWith([
      metrics.observer,
      { requestEnded: (call) => void calls.push(call), stateChanged: (change) => void changes.push(change) },
    ]);
    const served = await serveWith(observer);
    const headers = { 'X-User': 'me' };
    await callJsonRpc(served.url, 'SendMessage', { message: ECHO }, headers);
    await callRest(served.url, 'POST', '/message:stream', { message: ECHO }, headers).then((answer) =>
      answer.text(),
    );
    await callRest(served.url, 'GET', '/tasks/unknown', undefined, headers);
    await callJsonRpc(served.url, 'tasks/get', { id: 'unknown' }, { 'A2A-Version': '0.3' });

    await expect.poll(() => calls.length).toBe(4);
    expect(
      calls.map(({ binding, version, operation, caller, error }) => ({
        binding,
        version,
        operation,
        caller,
        error,
      })),
    ).toEqual([
      { binding: 'JSONRPC', version: '1.0', operation: 'sendMessage', caller: 'me', error: undefined },
      {
        binding: 'HTTP+JSON',
        version: '1.0',
        operation: 'sendStreamingMessage',
        caller: 'me',
        error: undefined,
      },
      { binding: 'HTTP+JSON', version: '1.0', operation: 'getTask', caller: 'me', error: 'TASK_NOT_FOUND' },
      {
        binding: 'JSONRPC',
        version: undefined,
        operation: undefined,
        caller: undefined,
        error: 'UNAUTHENTICATED',
      },
    ]);
    expect(calls[3]?.peer).toBe('127.0.0.1');
    const taskIds = [...new Set(changes.map(({ taskId }) => taskId))];
    expect(calls.map(({ taskId }) => taskId)).toEqual([...taskIds, 'unknown', undefined]);
    for (const { milliseconds } of calls) expect(milliseconds).toBeGreaterThanOrEqual(0);
    const ofFirst = changes.filter(({ taskId }) => taskId === changes[0]?.taskId);
    expect(ofFirst.map(({ from, state }) => [from, state])).toEqual([
      [undefined, 'TASK_STATE_SUBMITTED'],
      ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'],
      ['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'],
    ]);
    expect(changes[0]?.ownerKey).toBe('["","me"]');
    const { body } = await metrics.render();
    expect(body).toContain('holdword_turn_duration_seconds_count{state="completed"} 2');
    expect(body).toMatch(/holdword_events_committed_total [1-9]/);
  });
});

async function serveWith(observer: ReturnType<typeof observeWith>): Promise<ServedAgent> {
  const runtime = await startRuntime({ store: openMemoryStore(), executor: demoAgent, observer });
  onTestFinished(() => runtime.stop({ graceMilliseconds: 0 }));
  const served = await serveRuntime({ runtime, port: 0, observer, authentication: userAuthentication });
  onTestFinished(() => served.close({ graceMilliseconds: 0 }));
  return served;
}
