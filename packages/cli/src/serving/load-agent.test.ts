import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { loadAgent } from './load-agent.ts';

const store = openMemoryStore();
const SERVER = {
  processFolder: '/nowhere',
  sessions: store,
  store,
  log: { info: () => {}, warn: () => {}, error: () => {} },
};

test('the demo agent is built in, and the default', async () => {
  const { executor } = await (await loadAgent({})).open(SERVER);
  expect(executor.card?.name).toBe('Holdword demo agent');
});

test('the responder of the hub answers without a model', async () => {
  const { executor } = await (await loadAgent({ agent: 'responder' })).open(SERVER);
  expect(executor.card?.name).toBe('Holdword responder');
});

test('options come from the section of the agent, and what stands behind its name wins', async () => {
  const agentOptions = { openai: { model: 'small', images: true }, exec: { command: 'wc' } };
  const byConfig = await (await loadAgent({ agent: 'openai', agentOptions })).open(SERVER);
  expect(byConfig.executor.card).toMatchObject({
    name: 'small',
    defaultInputModes: expect.arrayContaining(['image/*']),
  });
  const byName = await (await loadAgent({ agent: 'openai:large:7b', agentOptions })).open(SERVER);
  expect(byName.executor.card?.name).toBe('large:7b');
});

test('what an agent must have is asked for', async () => {
  await expect((await loadAgent({ agent: 'openai' })).open(SERVER)).rejects.toThrow(
    'The option model of the agent openai: expected a text, found nothing.',
  );
});

test('a wrong name gets the list of names and the nearest', async () => {
  await expect(loadAgent({ agent: 'openclow' })).rejects.toThrow(
    'There is no agent "openclow", did you mean "openclaw"? Holdword knows demo, responder, openclaw, openclaw-cli, ' +
      'openclaw-gateway, claude-code, codex, gemini, openai, acp, exec. ' +
      'A module of your own is named by its path: ./openclow.ts',
  );
  await expect(loadAgent({ agent: 'codex:fast' })).rejects.toThrow('takes nothing behind its name');
});
