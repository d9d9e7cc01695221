import type { JsonObject, Task } from '@holdword/protocol';
import { serveRuntime, startRuntime, type Limits, type ServedAgent } from '@holdword/runtime';
import { openMemoryStore } from '@holdword/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BINDINGS } from '../../support/drivers/driver.ts';
import { openDrivers } from '../../support/drivers/open-drivers.ts';
import { type NextDriver, openNext } from '../../support/drivers/raw-next.ts';
import { scriptedAgent } from '../../support/scripted-agent.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startAgent } from '../../support/start-agent.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { say, sayAndLeave, taskOf, unique } from '../conversation.ts';

watchForLeaks();

async function startServer(limits: Limits = {}) {
  const executor = scriptedAgent();
  const runtime = await startRuntime({ store: openMemoryStore(), executor });
  const served = await serveRuntime({ runtime, port: 0, grpcPort: 0, limits });
  onTestFinished(async () => {
    await served.close({ graceMilliseconds: 0 });
    await runtime.stop({ graceMilliseconds: 0 });
  });
  const target = {
    baseUrl: served.url,
    jsonRpcUrl: served.jsonRpcUrl,
    restUrl: served.restUrl,
    grpcAddress: served.grpcAddress ?? '',
  };
  return { served, gates: executor.gates, target };
}

function openDriver(...parameters: Parameters<typeof openNext>): NextDriver {
  const driver = openNext(...parameters);
  onTestFinished(() => driver.close());
  return driver;
}

/** A GetTask that the server holds. */
async function hold(
  served: ServedAgent,
  driver: NextDriver,
  request: JsonObject,
  signal?: AbortSignal,
): Promise<{ answer: Promise<Task>; isAnswered: () => boolean }> {
  const before = served.openStreams;
  let answered = false;
  const answer = driver.get(request, signal === undefined ? {} : { signal }).finally(() => (answered = true));
  answer.catch(() => {});
  await waitUntil('a held request', () => served.openStreams === before + 1);
  return { answer, isAnswered: () => answered };
}

describe.each(BINDINGS)('a GetTask with currentGeneration over %s', (binding) => {
  test('is held until the task moves beyond it, also twice in a row', async () => {
    const { served, gates, target } = await startServer();
    const driver = openDriver(target, binding);
    const [first, second] = [unique('gate'), unique('gate')];
    const script = `wait ${first}; artifact a one; wait ${second}; complete`;
    const { id } = taskOf(await driver.send(sayAndLeave(script)));
    await gates.reached(first);
    const { generation } = await driver.get({ id });

    const held = await hold(served, driver, { id, currentGeneration: Number(generation) });
    expect(held.isAnswered()).toBe(false);
    gates.open(first);
    const moved = await held.answer;
    expect(Number(moved.generation)).toBe(Number(generation) + 1);
    expect(moved.artifacts).toHaveLength(1);

    await gates.reached(second);
    // ProtoJSON writes int64 as a string.
    const again = await hold(served, driver, { id, currentGeneration: moved.generation });
    gates.open(second);
    const ended = await again.answer;
    expect(ended.status.state).toBe('TASK_STATE_COMPLETED');
    expect(Number(ended.generation)).toBe(Number(moved.generation) + 1);
    expect(served.openStreams).toBe(0);
  });

  test('is held for a task that waits for its user, until somebody answers it', async () => {
    const { served, target } = await startServer();
    const driver = openDriver(target, binding);
    const asked = taskOf(await driver.send(say('ask which?')));
    const held = await hold(served, driver, { id: asked.id, currentGeneration: Number(asked.generation) });
    await driver.send(say('complete', { taskId: asked.id }));
    expect(Number((await held.answer).generation)).toBeGreaterThan(Number(asked.generation));
  });

  test('is answered at once if the task is beyond it, or has ended', async () => {
    const { target } = await startServer({ longPollSeconds: 3600 });
    const driver = openDriver(target, binding);
    const asked = taskOf(await driver.send(say('ask which?')));
    expect(await driver.get({ id: asked.id, currentGeneration: 0 })).toMatchObject(asked);
    const known = Number(asked.generation) - 1;
    expect((await driver.get({ id: asked.id, currentGeneration: known })).generation).toBe(asked.generation);
    const ended = taskOf(await driver.send(say('complete')));
    const current = await driver.get({ id: ended.id, currentGeneration: Number(ended.generation) });
    expect(current.generation).toBe(ended.generation);
  });

  test('is answered with the task as it is when it has been held long enough', async () => {
    const { served, target } = await startServer({ longPollSeconds: 0.05 });
    const driver = openDriver(target, binding);
    const asked = taskOf(await driver.send(say('ask which?')));
    const request = { id: asked.id, currentGeneration: Number(asked.generation) };
    expect(await driver.get(request)).toEqual(asked);
    expect(await driver.get({ ...request, currentGeneration: 1_000_000 })).toEqual(asked);
    expect(served.openStreams).toBe(0);
  });

  test('is answered when the server stops', async () => {
    const { served, target } = await startServer({ longPollSeconds: 3600 });
    const driver = openDriver(target, binding);
    const asked = taskOf(await driver.send(say('ask which?')));
    const held = await hold(served, driver, { id: asked.id, currentGeneration: Number(asked.generation) });
    const closed = served.close({ graceMilliseconds: 60_000 });
    expect(await held.answer).toEqual(asked);
    driver.close();
    await closed;
  });

  test('is forgotten when its client disconnects', async () => {
    const { served, target } = await startServer({ longPollSeconds: 3600 });
    const driver = openDriver(target, binding);
    const asked = taskOf(await driver.send(say('ask which?')));
    const client = new AbortController();
    await hold(served, driver, { id: asked.id, currentGeneration: Number(asked.generation) }, client.signal);
    client.abort();
    await waitUntil('the slot is free', () => served.openStreams === 0);
  });

  test('counts as a stream', async () => {
    const { served, target } = await startServer({ longPollSeconds: 3600, streams: 1, reservedPercent: 0 });
    const driver = openDriver(target, binding);
    const asked = taskOf(await driver.send(say('ask which?')));
    const request = { id: asked.id, currentGeneration: Number(asked.generation) };
    const held = await hold(served, driver, request);
    await expect(driver.get(request)).rejects.toMatchObject({ reason: 'RESOURCE_EXHAUSTED' });
    // One that does not wait needs no slot.
    expect(await driver.get({ id: asked.id })).toEqual(asked);
    await driver.cancel({ id: asked.id });
    expect((await held.answer).status.state).toBe('TASK_STATE_CANCELED');
  });

  test('of A2A 1.0 is not held', async () => {
    const { target } = await startServer({ longPollSeconds: 3600 });
    const drivers = openDrivers(target);
    onTestFinished(() => drivers.close());
    const driver = await drivers.open({ binding, version: '1.0', client: 'raw' });
    const asked = taskOf(await driver.send(say('ask which?')));
    expect(await driver.get({ id: asked.id, currentGeneration: 1_000_000 })).toEqual(asked);
  });
});

test.each(BINDINGS)('a held request over %s ends with an error when its key is revoked', async (binding) => {
  const agent = await startAgent({ apiKeys: true, limits: { longPollSeconds: 3600 } });
  onTestFinished(() => agent.close());
  const headers = { authorization: `Bearer ${await agent.addKey('reader')}` };
  const driver = openDriver({ ...agent.target, headers }, binding);
  const asked = taskOf(await driver.send(say('ask which?')));
  const held = driver.get({ id: asked.id, currentGeneration: Number(asked.generation) });
  const rejected = expect(held).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
  await agent.revokeKey('reader');
  await rejected;
});

test('a task of another caller is not waited for', async () => {
  const { target } = await startServer({ longPollSeconds: 3600 });
  const driver = openDriver(target, 'JSONRPC');
  await expect(driver.get({ id: 'unknown', currentGeneration: 1 })).rejects.toMatchObject({
    reason: 'TASK_NOT_FOUND',
  });
});

test.each(['soon', 1.5, {}])('the generation %j is not accepted', async (currentGeneration) => {
  const { target } = await startServer();
  const driver = openDriver(target, 'JSONRPC');
  await expect(driver.get({ id: 't', currentGeneration })).rejects.toMatchObject({
    reason: 'INVALID_PARAMS',
    message: expect.stringContaining('currentGeneration') as string,
  });
});
