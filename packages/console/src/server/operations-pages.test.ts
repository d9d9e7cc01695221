import { listKeys } from '@holdword/runtime';
import { expect, test } from 'vitest';
import { sendText, startTestConsole } from '../testing/start-test-console.ts';
import { openApiDocument } from './openapi.ts';
import { ServerSeries } from './series.ts';
import { ROUTES } from '../api/routes.ts';

test('replicas, keys and the audit log', async () => {
  const line = JSON.stringify({ time: '2026-01-01T00:00:00Z', event: 'task-state' });
  const view = await startTestConsole({
    audit: { read: (limit) => Promise.resolve([line, '{cut'].slice(0, limit)) },
  });
  const as = await view.key('ops', 'operator');
  const alice = await view.key('alice');
  const { replicas } = (await view.call('listReplicas', { as })).body;
  expect(replicas).toMatchObject([{ process: view.runtime.processName, here: true, alive: true }]);
  const { keys } = (await view.call('listKeys', { as })).body;
  expect(keys.map(({ name, role, own }) => [name, role, own])).toEqual([
    ['ops', 'operator', true],
    ['alice', 'caller', false],
  ]);
  expect((await view.call('getAudit', { as })).body).toEqual({ lines: [JSON.parse(line)] });
  expect((await view.call('revokeKey', { as, path: { name: 'alice' } })).body).toEqual({ done: true });
  expect(view.actions).toMatchObject([{ event: 'console-key-revoked', about: { key: 'alice' } }]);
  expect((await listKeys(view.store)).map(({ name }) => name)).toEqual(['ops']);
  await expect.poll(async () => (await view.call('listTasks', { as: alice })).status).toBe(401);
  expect((await view.call('revokeKey', { as, path: { name: 'alice' } })).status).toBe(404);
});

test('push targets are listed page by page, without secrets, and replayed', async () => {
  const view = await startTestConsole();
  const [as, alice] = [await view.key('ops', 'operator'), await view.key('alice')];
  const taskId = await sendText(view, alice, 'ask');
  const target = (index: number, more = {}) => ({
    taskId,
    configId: `config-${index}`,
    owner: JSON.stringify(['', 'key:alice']),
    url: `https://hook.example/in?secret=s${index}`,
    token: 'top-secret',
    version: '1.0',
    createdAt: 1,
    delivered: index,
    ...more,
  });
  const failure = {
    attempts: 4,
    since: 1,
    failingMilliseconds: 1,
    nextAttemptAt: 2,
    pauseMilliseconds: 1,
    error: 'HTTP 500',
  };
  for (let index = 0; index < 5; index += 1) {
    const value = target(index, index === 3 ? { failure, deadSince: 5 } : {});
    await view.store.putRecord('push-targets', `${taskId}/config-${index}`, JSON.stringify(value));
  }
  const first = await view.call('listPushTargets', { as, query: { limit: '2' } });
  expect(first.body.targets.map(({ configId }) => configId)).toEqual(['config-0', 'config-1']);
  const second = await view.call('listPushTargets', {
    as,
    query: { limit: '5', cursor: first.body.nextCursor ?? '' },
  });
  expect(second.body.targets.map(({ configId }) => configId)).toEqual(['config-2', 'config-3', 'config-4']);
  expect(second.body.nextCursor).toBeNull();
  expect(first.text + second.text).not.toMatch(/secret/);
  const dead = await view.call('listPushTargets', { as, query: { state: 'dead' } });
  expect(dead.body.targets).toMatchObject([{ configId: 'config-3', attempts: 4, error: 'HTTP 500' }]);
  const own = await view.call('getTask', { as: alice, path: { taskId } });
  expect(own.body.pushTargets).toHaveLength(5);
  expect((await view.call('replayPush', { as, body: { taskId } })).body).toEqual({ replayed: 1 });
  expect((await view.call('listPushTargets', { as, query: { state: 'dead' } })).body.targets).toEqual([]);
  expect(view.actions).toMatchObject([{ event: 'console-push-replayed' }]);
});

test('a series counts what happened in each step and keeps a bounded number of them', async () => {
  const series = new ServerSeries();
  const push = {
    enabled: true,
    activeTargets: 0,
    failingTargets: 0,
    deadTargets: 0,
    longestFailureSeconds: 7,
    deliveredEvents: 3,
    failedAttempts: 1,
    runningDeliveries: 1,
    waitingDeliveries: 2,
  };
  const sources = {
    activity: () => ({ running: 2, queued: 1 }),
    push: () => push,
    storeBytes: () => Promise.resolve(4096),
  };
  const request = {
    binding: 'JSONRPC',
    version: '1.0',
    operation: 'sendMessage',
    caller: 'x',
    tenant: '',
    peer: '',
    limit: undefined,
    taskId: undefined,
  } as const;
  for (let index = 1; index <= 100; index += 1)
    series.observer.requestEnded?.({
      ...request,
      error: index % 10 === 0 ? 'INTERNAL' : undefined,
      milliseconds: index,
    });
  series.observer.turnEnded?.({ state: 'TASK_STATE_FAILED', milliseconds: 50 });
  series.observer.committed?.(5, 1);
  await series.take('hour', sources);
  const [point] = series.read('hour').points;
  expect(point).toMatchObject({
    requests: 100,
    errors: 10,
    turns: 1,
    failedTurns: 1,
    events: 5,
    runningTurns: 2,
    waitingTurns: 1,
    pushDelivered: 3,
    pushWaiting: 3,
    pushLagSeconds: 7,
    storeBytes: 4096,
  });
  expect(point?.requestMilliseconds?.median).toBeGreaterThanOrEqual(40);
  expect(point?.requestMilliseconds?.median).toBeLessThanOrEqual(63);
  expect(point?.requestMilliseconds?.p95).toBeGreaterThanOrEqual(95);
  for (let step = 0; step < 500; step += 1) await series.take('hour', sources);
  const { points, stepSeconds } = series.read('hour');
  expect(points.length * stepSeconds).toBe(3_600);
  expect(points.at(-1)).toMatchObject({ requests: 0, requestMilliseconds: null, pushDelivered: 0 });
  await series.take('day', sources);
  expect(series.read('day').points).toMatchObject([{ requests: 100 }]);
});

test('the OpenAPI document describes every route', async () => {
  const view = await startTestConsole();
  const served = (await view.call('getOpenApi')).body;
  expect(served).toEqual(JSON.parse(JSON.stringify(openApiDocument('0.0.0'))));
  const paths = served['paths'] as Record<string, Record<string, { operationId: string }>>;
  const described = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(described.toSorted()).toEqual(Object.keys(ROUTES).toSorted());
});

test('the page is served at any depth, with a policy that runs no foreign script', async () => {
  const { mkdtemp, mkdir, writeFile, rm } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const { onTestFinished } = await import('vitest');
  const assets = await mkdtemp(`${tmpdir()}/holdword-page-`);
  onTestFinished(() => rm(assets, { recursive: true }));
  const view = await startTestConsole({ assets });
  const get = (path: string, init?: RequestInit) =>
    fetch(`${view.url}${path}`, { redirect: 'manual', ...init });
  const missing = await get('/console/');
  expect(missing.status).toBe(503);
  expect(await missing.text()).toContain('has not been built');

  await mkdir(`${assets}/assets`);
  await writeFile(
    `${assets}/index.html`,
    '<html><base href="./" /><script src="./assets/main-12345678.js"></script></html>',
  );
  await writeFile(`${assets}/assets/main-12345678.js`, 'console.log(1)');
  await writeFile(`${assets}/secret.env`, 'x');
  const moved = await get('/console');
  expect([moved.status, moved.headers.get('location')]).toEqual([308, 'console/']);
  const page = await get('/console/');
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self';/);
  expect(page.headers.get('content-security-policy')).not.toMatch(/unsafe|\*/);
  expect(await page.text()).toContain('<base href="./" />');
  expect(await (await get('/console/tasks/some.id')).text()).toContain('<base href="../" />');
  const script = await get('/console/assets/main-12345678.js');
  expect(script.headers.get('cache-control')).toContain('immutable');
  expect(script.headers.get('content-encoding')).toBe('gzip');
  const again = await get('/console/', { headers: { 'if-none-match': page.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
  expect((await get('/console/assets/none.js')).status).toBe(404);
  expect(await (await get('/console/secret.env')).text()).toContain('<base');
  expect(await (await get('/console/..%2f..%2fetc/passwd')).text()).toContain('<base');
  expect((await get('/console/', { method: 'POST' })).status).toBe(405);
});
