import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task, TaskState } from '@holdword/protocol';
import { openMemoryStore, type Store } from '@holdword/store';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { AgentDescription } from '../agent-description.ts';
import { ownerKey } from '../owner.ts';
import type { AgentAdapter } from './agent-adapter.ts';
import { loadAgent, type LoadAgentOptions } from './load-agent.ts';
import { OpenClawAgentAdapter } from './openclaw-agent-adapter.ts';
import { serveAgent, type ServeAgentOptions } from './serve-agent.ts';
import { FAKE_OPENCLAW } from './testing/index.ts';

async function load(options: LoadAgentOptions): Promise<AgentAdapter> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'holdword-adapter-'));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  const adapter = await loadAgent({ dataFolder, ...options });
  onTestFinished(() => adapter.close());
  return adapter;
}

test('OpenClaw is loaded with option names in snake case', async () => {
  const adapter = await load({
    adapter: 'openclaw',
    session_id: 'my-session',
    agent_id: 'main',
    thinking: 'low',
    timeout: 300,
    async_mode: true,
    openclaw_path: FAKE_OPENCLAW,
  });
  expect(adapter).toBeInstanceOf(OpenClawAgentAdapter);
  expect((await adapter.start()).transport).toBe('command line');
});

test('other agents are loaded by name', async () => {
  const adapter = await load({ adapter: 'exec', command: '/bin/echo so: {prompt}', async_mode: false });
  expect(await adapter.handle('hello')).toMatchObject({ parts: [{ text: 'so: hello' }] });
  const short = await load({ adapter: 'exec:/bin/echo so: {prompt}', asyncMode: false });
  expect(await short.handle('bye')).toMatchObject({ parts: [{ text: 'so: bye' }] });
});

test.each([
  [
    { adapter: 'openclow' },
    'Unknown adapter "openclow". Did you mean "openclaw"? Available adapters: openclaw,',
  ],
  [
    { adapter: 'openclaw', sesion_id: 'a' },
    'Unknown option "sesion_id" of agent openclaw. Did you mean "sessionId"?',
  ],
  [
    { adapter: 'exec' },
    'Agent exec needs the option command: write exec:"COMMAND", or set the option (agentOptions.exec.command in the configuration file).',
  ],
  [
    { adapter: 'exec:wc -w', command: 'wc -c' },
    'The option command of agent exec is given twice, in "exec:wc -w" as well. Remove one of them.',
  ],
  [
    { adapter: 'exec:wc -w', taskStore: {} as never },
    "Invalid option taskStore: expected a store, such as await openSqliteStore({ folder: 'data' }), found an empty object.",
  ],
  [
    { adapter: 'openclaw', task_store: './tasks' },
    'Invalid option task_store: expected a store, such as await openSqliteStore({ folder: \'data\' }), found "./tasks".',
  ],
  [
    { adapter: 'exec:wc -w', push: true as never },
    'Invalid option push: expected an object of options, or false, found true.',
  ],
  [
    { adapter: 'exec:wc -w', log: String as never },
    'Invalid option log: expected an object with the methods info, warn and error, found a function.',
  ],
  [
    { adapter: 'openclaw-gateway', openclaw_path: '/opt/openclaw' },
    'Unknown option "openclaw_path" of agent openclaw-gateway. Valid options are timeout, asyncMode, sessionId,',
  ],
])('%j is rejected', async (options, message) => {
  await expect(load(options)).rejects.toThrow(message);
});

test('an option of the adapter in two spellings is rejected', async () => {
  const taskStore = openMemoryStore();
  onTestFinished(() => taskStore.close());
  await expect(load({ adapter: 'exec:wc -w', taskStore, task_store: taskStore })).rejects.toThrow(
    'The option taskStore is given twice, as taskStore and as task_store. Remove one of them.',
  );
});

test.each([
  [undefined, 'serveAgent({ agent }): expected an object, found nothing.'],
  [
    {},
    "serveAgent({ agent }): agent: expected an agent, such as await loadAgent({ adapter: 'openclaw' }), found nothing.",
  ],
])('serveAgent(%j) says what it needs', async (options, message) => {
  await expect(serveAgent(options as unknown as ServeAgentOptions)).rejects.toThrow(new TypeError(message));
});

const PATIENCE = { timeout: 20_000 };

test('a caller that waits for a free process is served after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-adapter-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const taskStore = openMemoryStore();
  const options = {
    adapter: 'exec',
    command: "sh -c 'read word; until [ -e gate ]; do sleep 0.05; done; echo $word'",
    workingDirectory: folder,
    maxProcesses: 1,
    asyncMode: false,
    taskStore,
  };
  const before = await load(options);
  const running = before.handle('first').catch((error: unknown) => error);
  await vi.waitFor(
    async () => expect(await idsIn(taskStore, 'TASK_STATE_WORKING')).toHaveLength(1),
    PATIENCE,
  );
  const waiting = before.handle('second').catch((error: unknown) => error);
  await vi.waitFor(
    async () => expect(await idsIn(taskStore, 'TASK_STATE_SUBMITTED')).toHaveLength(1),
    PATIENCE,
  );
  await before.close();
  expect(await running).toMatchObject({ code: 'agent-failed' });
  const [taskId = ''] = await idsIn(taskStore, 'TASK_STATE_SUBMITTED');
  expect(await waiting).toMatchObject({ id: taskId, status: { state: 'TASK_STATE_SUBMITTED' } });
  const after = await load(options);
  await writeFile(join(folder, 'gate'), '');
  await vi.waitFor(
    async () =>
      expect(await after.getTask(taskId)).toMatchObject({
        status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'second' }] } },
      }),
    PATIENCE,
  );
});

test('a caller that had to wait for a free process gets a plain message', async () => {
  const adapter = await load({
    adapter: 'exec',
    command: 'cat',
    maxProcesses: 1,
    asyncMode: false,
  });
  const answers = await Promise.all(['one', 'two', 'three'].map((word) => adapter.handle(word)));
  expect(answers).toMatchObject([
    { role: 'ROLE_AGENT', parts: [{ text: 'one' }] },
    { role: 'ROLE_AGENT', parts: [{ text: 'two' }] },
    { role: 'ROLE_AGENT', parts: [{ text: 'three' }] },
  ]);
});

async function idsIn(store: Store, state: TaskState): Promise<string[]> {
  const owner = ownerKey({ tenant: '', caller: 'anonymous', authenticated: false });
  const { tasks } = await store.listTasks({ owner, state, limit: 10 });
  return tasks.map(({ taskId }) => taskId);
}

test('a misspelled field of the card is rejected with a suggestion', async () => {
  const agent = await load({ adapter: 'exec:wc -w' });
  const card = { skils: [] } as Partial<AgentDescription>;
  await expect(serveAgent({ agent, card, port: 0 })).rejects.toThrow(
    'serveAgent({ agent }): card.skils: unknown field (did you mean "skills"?), found an empty array.',
  );
});

test('an agent is served with the given card', async () => {
  const agent = await load({ adapter: 'exec:/bin/echo so: {prompt}' });
  const card = { name: 'Echo', description: 'Says it again.' };
  const served = await serveAgent({ agent, card, port: 0 });
  onTestFinished(() => served.close());
  expect(await (await fetch(served.cardUrl)).json()).toMatchObject(card);
  const response = await fetch(`${served.restUrl}/message:send`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: { role: 'ROLE_USER', messageId: 'm1', parts: [{ text: 'hi' }] } }),
  });
  const { task } = (await response.json()) as { task: Task };
  expect(task.status.message?.parts).toEqual([{ text: 'so: hi' }]);
  expect((await agent.getTask(task.id))?.id).toBe(task.id);
});

test.each([
  ['the session of the adapter', { session_id: 'my-session' }, (): string => 'my-session'],
  ['a new session for each message', {}, (contextId: string): string => `a2a-${contextId}`],
])('callers without a context get %s', async (_, options, sessionOf) => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-adapter-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const calls = join(folder, 'calls.log');
  const agent = await load({
    adapter: 'openclaw',
    openclaw_path: FAKE_OPENCLAW,
    env_vars: { FAKE_OPENCLAW_LOG: calls },
    ...options,
  });
  const served = await serveAgent({ agent, port: 0 });
  onTestFinished(() => served.close());
  const sessions: string[] = [];
  for (const messageId of ['m1', 'm2']) {
    const response = await fetch(`${served.restUrl}/message:send`, {
      method: 'POST',
      headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: { role: 'ROLE_USER', messageId, parts: [{ text: 'hi' }] } }),
    });
    const { task } = (await response.json()) as { task: Task };
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    sessions.push(sessionOf(task.contextId));
  }
  const used = (await readFile(calls, 'utf8')).matchAll(/--session-id (\S+)/g);
  expect([...used].map(([, session]) => session)).toEqual(sessions);
});

test('a plain client of 0.3 gets a task at once if it should', async () => {
  const agent = await load({ adapter: 'exec:/bin/sleep 600' });
  const served = await serveAgent({ agent, port: 0, v03Blocking: false });
  onTestFinished(() => served.close({ graceMilliseconds: 0 }));
  const response = await fetch(served.jsonRpcUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: {
        message: { kind: 'message', role: 'user', messageId: 'm1', parts: [{ kind: 'text', text: 'hi' }] },
      },
    }),
  });
  expect(await response.json()).toMatchObject({
    result: { kind: 'task', status: { state: expect.stringMatching(/submitted|working/) } },
  });
});

test('nothing at all is answered with how to write it', async () => {
  await expect(Reflect.apply(loadAgent, undefined, [])).rejects.toThrow(
    'Expected a name in "adapter", found nothing.',
  );
});

test('a name alone is answered with how to write it', async () => {
  await expect(loadAgent('exec' as unknown as LoadAgentOptions)).rejects.toMatchObject({
    name: 'AgentOptionsError',
    message: `Expected a name in "adapter", found "exec". Name one: loadAgent({ adapter: 'exec:wc -w' }).`,
  });
});
