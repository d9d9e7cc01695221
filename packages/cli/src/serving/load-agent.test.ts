import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import type { GivenConfig } from '../config/config-schema.ts';
import { testConfig } from '../testing/test-config.ts';
import { loadAgent as load } from './load-agent.ts';

const loadAgent = (given: GivenConfig) => load(testConfig(given));

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

test('the responder of the hub is built in', async () => {
  const { executor } = await (await loadAgent({ agent: 'responder' })).open(SERVER);
  expect(executor.card?.name).toBe('Holdword responder');
});

test('options come from the configuration, and a value after the name wins', async () => {
  const agentOptions = { openai: { model: 'small', images: true }, exec: { command: 'wc' } };
  const byConfig = await (await loadAgent({ agent: 'openai', agentOptions })).open(SERVER);
  expect(byConfig.executor.card).toMatchObject({
    name: 'small',
    defaultInputModes: expect.arrayContaining(['image/*']),
  });
  const byName = await (await loadAgent({ agent: 'openai:large:7b', agentOptions })).open(SERVER);
  expect(byName.executor.card?.name).toBe('large:7b');
});

test('a missing option is named', async () => {
  await expect((await loadAgent({ agent: 'openai' })).open(SERVER)).rejects.toThrow(
    'Agent openai needs the option model: write openai:"MODEL", or set the option (agentOptions.openai.model in the configuration file).',
  );
});

test('an unknown name is answered with the nearest name and all names', async () => {
  await expect(loadAgent({ agent: 'openclow' })).rejects.toThrow(
    'Unknown agent "openclow". Did you mean "openclaw"? Available agents: demo, responder, openclaw, openclaw-cli, ' +
      'openclaw-gateway, claude-code, codex, gemini, openai, acp, exec. ' +
      'To serve a module, give its path, for example ./openclow.ts',
  );
  await expect(loadAgent({ agent: 'claude' })).rejects.toThrow('Did you mean "claude-code"?');
  await expect(loadAgent({ agent: 'codex:fast' })).rejects.toThrow(
    'Agent codex does not take a value after its name.',
  );
});
