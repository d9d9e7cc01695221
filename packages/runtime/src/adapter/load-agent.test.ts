import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from '@holdword/protocol';
import { expect, onTestFinished, test } from 'vitest';
import type { AgentAdapter } from './agent-adapter.ts';
import { loadAgent, type LoadAgentOptions } from './load-agent.ts';
import { OpenClawAgentAdapter } from './openclaw-agent-adapter.ts';
import { serveAgent } from './serve-agent.ts';
import { FAKE_OPENCLAW, NO_GATEWAY } from './testing/index.ts';

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
    gateway: NO_GATEWAY,
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
    'Agent exec needs the option command: write exec:"COMMAND", or set the option (agentOptions.exec.command in holdword.config.json).',
  ],
])('%j is rejected', async (options, message) => {
  await expect(load(options)).rejects.toThrow(message);
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
    gateway: NO_GATEWAY,
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

test('a name alone is answered with how to write it', async () => {
  await expect(loadAgent('exec' as unknown as LoadAgentOptions)).rejects.toMatchObject({
    name: 'AgentOptionsError',
    message: `Expected a name in "adapter", found "exec". Name one: loadAgent({ adapter: 'exec:wc -w' }).`,
  });
});
