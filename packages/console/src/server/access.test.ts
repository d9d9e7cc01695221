import { describe, expect, test } from 'vitest';
import type { RouteName } from '../api/routes.ts';
import { ROUTES } from '../api/routes.ts';
import { sendText, startTestConsole, type Sender, type TestConsole } from '../testing/start-test-console.ts';

interface Matrix {
  readonly view: TestConsole;
  readonly operator: Sender;
  readonly alice: Sender;
  readonly bob: Sender;
  readonly taskId: string;
}

async function prepare(): Promise<Matrix> {
  const view = await startTestConsole({ hub: {} });
  const operator = await view.key('ops', 'operator');
  const [alice, bob] = [await view.key('alice'), await view.key('bob')];
  const taskId = await sendText(view, alice, 'ask Which color?');
  await expect
    .poll(async () => (await view.call('getTask', { as: alice, path: { taskId } })).body.state)
    .toBe('TASK_STATE_INPUT_REQUIRED');
  return { view, operator, alice, bob, taskId };
}

const NAMES = Object.keys(ROUTES) as RouteName[];
/** Answered in a test of their own: a stream does not end. */
const STREAMS = NAMES.filter((name) => ROUTES[name].answer === 'events');
const BODIES: Partial<Record<RouteName, (taskId: string) => unknown>> = {
  signIn: () => ({ credential: 'none' }),
  cancelTasks: (taskId) => ({ ids: [taskId] }),
  forkTask: () => ({ sequence: 1 }),
  sendMessage: (taskId) => ({ messageId: crypto.randomUUID(), taskId, parts: [{ text: 'x' }] }),
  addAgent: () => ({ url: 'http://10.0.0.1/' }),
  tryAgent: () => ({ parts: [{ text: 'x' }] }),
  setAgentCredential: () => ({ scheme: 'x', value: 'y' }),
  replayPush: () => ({}),
};

async function statusOf({ view, taskId }: Matrix, name: RouteName, as: Sender | undefined): Promise<number> {
  const path = { taskId, artifactId: 'none', agentId: 'none', handoffId: 'none', name: 'none' };
  const body = BODIES[name]?.(taskId);
  const url = view.urlOf(name, path);
  const response = await fetch(url, {
    method: ROUTES[name].method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...as },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // Nothing that answers a stranger names a task.
  if (as === undefined && name !== 'getOpenApi') expect(text).not.toContain(taskId);
  return response.status;
}

describe('who may send what', () => {
  const unary = NAMES.filter((name) => !STREAMS.includes(name));

  test('as the table of routes says, for every route', async () => {
    const matrix = await prepare();
    const { operator, bob } = matrix;
    for (const name of unary) {
      const { access, path } = ROUTES[name];
      const stranger = await statusOf(matrix, name, undefined);
      if (access === 'anyone') expect(stranger, name).toBe(name === 'signIn' ? 401 : 200);
      else expect(stranger, name).toBe(401);
      const other = await statusOf(matrix, name, bob);
      if (access === 'operator') expect(other, name).toBe(403);
      else expect(other, name).not.toBe(403);
      // The task of someone else does not exist.
      if (path.includes('{taskId}') || name === 'sendMessage') expect(other, name).toBe(404);
      // Those that change the task come last.
      if (['cancelTask', 'cancelTasks', 'sendMessage'].includes(name)) continue;
      const allowed = await statusOf(matrix, name, operator);
      expect(allowed, name).not.toBe(403);
      if (access !== 'anyone') expect(allowed, name).not.toBe(401);
    }
    expect(await statusOf(matrix, 'sendMessage', operator)).toBe(200);
    expect(await statusOf(matrix, 'cancelTasks', operator)).toBe(200);
  });

  test('every viewer lists exactly its own tasks, whatever it asks for', async () => {
    const { view, operator, alice, bob, taskId } = await prepare();
    const list = async (as: Sender, query: Record<string, string> = {}) =>
      (await view.call('listTasks', { as, query })).body.tasks.map(({ id }) => id);
    expect(await list(alice)).toEqual([taskId]);
    expect(await list(bob)).toEqual([]);
    expect(await list(operator)).toEqual([taskId]);
    const owner = JSON.stringify(['', 'key:alice']);
    expect(await list(bob, { owner })).toEqual([]);
    expect(await list(operator, { owner })).toEqual([taskId]);
    expect(await list(bob, { agent: 'someone' })).toEqual([]);
    expect(await list(bob, { text: taskId })).toEqual([]);
    const canceled = await view.call('cancelTasks', { as: bob, body: { ids: [taskId] } });
    expect(canceled.body.results).toMatchObject([{ id: taskId, outcome: 'not-found' }]);
    const unchanged = await view.call('getTask', { as: alice, path: { taskId } });
    expect(unchanged.body.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  test('streams are for viewers, and those of a task for its owner', async () => {
    const { view, bob, taskId } = await prepare();
    for (const name of STREAMS) expect((await fetch(view.urlOf(name, { taskId }))).status, name).toBe(401);
    expect((await fetch(view.urlOf('watchTask', { taskId }), { headers: bob })).status).toBe(404);
  });

  test('a task that does not exist and one of someone else look the same', async () => {
    const { view, bob, taskId } = await prepare();
    const hidden = await view.call('getTask', { as: bob, path: { taskId } });
    const missing = await view.call('getTask', { as: bob, path: { taskId: 'missing' } });
    expect(hidden.text.replace(taskId, 'missing')).toBe(missing.text);
  });

  test('what an operator does to the task of a caller is in the audit log, and nothing else is', async () => {
    const { view, operator, alice, taskId } = await prepare();
    await view.call('getTask', { as: operator, path: { taskId } });
    const own = await sendText(view, alice, 'wait');
    await view.call('cancelTask', { as: alice, path: { taskId: own } });
    expect(view.actions).toEqual([]);
    const { status } = await view.call('cancelTask', { as: operator, path: { taskId } });
    expect(status).toBe(200);
    expect(view.actions).toMatchObject([
      {
        event: 'console-task-canceled',
        ownerKey: JSON.stringify(['', 'key:ops']),
        about: { task: taskId, owner: JSON.stringify(['', 'key:alice']) },
      },
    ]);
  });
});
