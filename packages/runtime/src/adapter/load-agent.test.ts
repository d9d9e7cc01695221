import { mkdtemp, rm } from 'node:fs/promises';
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

test('OpenClaw is loaded with the names of its options as they are written elsewhere', async () => {
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

test('other agents are loaded by their names', async () => {
  const adapter = await load({ adapter: 'exec', command: '/bin/echo so: {prompt}', async_mode: false });
  expect(await adapter.handle('hello')).toMatchObject({ parts: [{ text: 'so: hello' }] });
  const short = await load({ adapter: 'exec:/bin/echo so: {prompt}', asyncMode: false });
  expect(await short.handle('bye')).toMatchObject({ parts: [{ text: 'so: bye' }] });
});

test.each([
  [{ adapter: 'openclow' }, 'There is no adapter "openclow", did you mean "openclaw"? There are openclaw,'],
  [{ adapter: 'openclaw', sesion_id: 'a' }, 'has no option "sesion_id"; did you mean "sessionId"?'],
  [{ adapter: 'exec' }, 'The option command of the agent exec: expected a text, found nothing.'],
])('%j is refused', async (options, message) => {
  await expect(load(options)).rejects.toThrow(message);
});

test('an agent is served with a card of its own', async () => {
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
