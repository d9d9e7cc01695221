import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryStore } from '@holdword/store';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { failure } from '../executors/cli-agent/testing/conversation.ts';
import { fakeProgram } from '../executors/cli-agent/testing/fake-program.ts';
import { temporaryFolder } from '../executors/cli-agent/testing/start-cli-agent.ts';
import { noopLog } from '../log.ts';
import {
  requestContext,
  send,
  sendForTask,
  startTestOperations,
} from '../operations/testing/start-test-operations.ts';
import type { OpenedAgent } from './agent-kind.ts';
import { AGENT_KINDS, findAgentKind } from './agent-kinds.ts';

async function open(name: string, options: Record<string, unknown>): Promise<OpenedAgent> {
  const kind = AGENT_KINDS.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`Expected an agent ${name}.`);
  const sessions = openMemoryStore();
  const opened = await kind.open(options, {
    processFolder: await temporaryFolder(),
    sessions,
    log: noopLog,
  });
  onTestFinished(async () => {
    await opened.executor.close?.();
    await sessions.close();
  });
  return opened;
}

test('names are unique, and every option is described', () => {
  expect(new Set(AGENT_KINDS.map(({ name }) => name)).size).toBe(AGENT_KINDS.length);
  for (const { name, options } of AGENT_KINDS) {
    for (const [option, schema] of Object.entries(options.shape)) {
      expect(schema, `${name}.${option}`).toHaveProperty('description', expect.stringMatching(/\.$/));
    }
  }
});

describe('options reach their agent', () => {
  test.each([
    ['claude-code', { permissionMode: 'plan' }, '--permission-mode=plan'],
    ['codex', { sandbox: 'read-only' }, '--sandbox=read-only'],
    ['gemini', { approvalMode: 'yolo' }, '--approval-mode=yolo'],
  ])('%s', async (name, special, argument) => {
    const folder = await temporaryFolder();
    const program = await fakeProgram(`echo "$PWD $MY_VARIABLE $*" >called`);
    const envVars = { MY_VARIABLE: 'mine' };
    const options = { program, model: 'm1', arguments: ['--more'], envVars, workingDirectory: folder };
    const { executor } = await open(name, { ...options, ...special });
    const { operations } = await startTestOperations(executor);
    await sendForTask(operations, 'hi');
    const called = await readFile(join(folder, 'called'), 'utf8');
    for (const part of [folder, 'mine', '--model=m1', '--more', argument]) expect(called).toContain(part);
  });

  test('openclaw-gateway reads its token from an environment variable', async () => {
    const gateway = { url: 'ws://127.0.0.1:1', tokenVariable: 'NO_SUCH_TOKEN' };
    await expect(open('openclaw-gateway', { gateway })).rejects.toThrow(
      'The environment variable NO_SUCH_TOKEN for the token of the gateway is not set.',
    );
    expect(
      (await open('openclaw-gateway', { gateway: { url: 'ws://127.0.0.1:1' } })).transport,
    ).toBeUndefined();
  });

  test.each([
    ['openclaw', { envVars: { MY_VARIABLE: 'mine' } }],
    ['openclaw-cli', { envVars: { MY_VARIABLE: 'mine' } }],
    ['openclaw-cli', { passEnvironment: ['MY_VAR*'] }],
  ])('%s with %j', async (name, options) => {
    vi.stubEnv('MY_VARIABLE', 'mine');
    vi.stubEnv('ZAI_API_KEY', 'of zai');
    vi.stubEnv('OPENAI_API_KEY_2', 'another');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'of the server');
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = await temporaryFolder();
    const openclawPath = await fakeProgram(
      'echo "$PWD $MY_VARIABLE|$ZAI_API_KEY|$OPENAI_API_KEY_2|$AWS_SECRET_ACCESS_KEY|" >called; echo "{\\"payloads\\":[]}"',
    );
    const { executor } = await open(name, { openclawPath, workingDirectory: folder, ...options });
    const { operations } = await startTestOperations(executor);
    await sendForTask(operations, 'hi');
    expect(await readFile(join(folder, 'called'), 'utf8')).toBe(`${folder} mine|of zai|another||\n`);
  });

  test('openclaw-cli without asyncMode answers in the order of OpenClaw', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'my pic.txt'), 'x');
    const file = { raw: 'eA==', filename: 'my pic.txt', mediaType: 'text/plain' };
    const answerTo = async (payloads: unknown): Promise<unknown> => {
      const openclawPath = await fakeProgram(`cat <<'END'\n${JSON.stringify({ payloads })}\nEND`);
      const options = { openclawPath, workingDirectory: folder, asyncMode: false };
      const { executor } = await open('openclaw-cli', options);
      const { operations } = await startTestOperations(executor);
      return operations.sendMessage(send('hi'), requestContext());
    };
    expect(
      await answerTo([{ text: 'A', mediaUrls: [`file://${folder}/my%20pic.txt`] }, { text: 'B' }]),
    ).toMatchObject({ message: { parts: [{ text: 'A' }, file, { text: 'B' }] } });
    expect(await answerTo([{ mediaUrl: 'my pic.txt' }])).toMatchObject({ message: { parts: [file] } });
  });

  test('openclaw-cli: the limit of the output', async () => {
    const openclawPath = await fakeProgram('head -c 5000 /dev/zero');
    const { executor } = await open('openclaw-cli', { openclawPath, maxOutputBytes: 2_000 });
    const { operations } = await startTestOperations(executor);
    expect((await sendForTask(operations, 'hi')).status).toMatchObject(failure(/output limit of 2000 bytes/));
  });

  test.each([
    { openclawPath: '/opt/openclaw' },
    { workingDirectory: tmpdir() },
    { envVars: { A: 'b' } },
    { passEnvironment: ['A'] },
  ])('openclaw runs its command if a gateway cannot honour an option: %j', async (options) => {
    // A gateway that exists and cannot be used counts as one: the command does not run next to it.
    vi.stubEnv('OPENCLAW_GATEWAY_URL', 'ws://gateway.example');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await open('openclaw', {})).transport).toBe('gateway');
    expect((await open('openclaw', options)).transport).toBe('command line');
    await expect(open('openclaw', { ...options, gateway: { url: 'ws://127.0.0.1:1' } })).rejects.toThrow(
      `The option gateway of agent openclaw excludes ${Object.keys(options).join()}: a gateway does not run`,
    );
    await expect(open('openclaw-gateway', options)).rejects.toThrow('Unknown option');
  });

  test('openclaw: a working directory that does not exist is rejected', async () => {
    await expect(open('openclaw-cli', { workingDirectory: '/nowhere' })).rejects.toThrow(
      'The option workingDirectory names /nowhere, which is not a folder.',
    );
  });

  test('acp', async () => {
    const { executor } = await open('acp', { command: 'some-agent --acp', permissions: 'ask' });
    expect(executor.card?.name).toBe('some-agent');
    await expect(open('acp', { command: 'x', allowedTools: ['fly'] })).rejects.toThrow(
      'Invalid option allowedTools[0] of agent acp: expected one of read, edit, delete,',
    );
  });
});

test('an agent is found by its name', () => {
  expect(findAgentKind('openclaw')).toMatchObject({ kind: { name: 'openclaw' }, options: {} });
});

test('what follows a name and a colon is its main option, further colons included', () => {
  expect(findAgentKind('exec:echo a:b {prompt}')?.options).toEqual({ command: 'echo a:b {prompt}' });
  expect(findAgentKind('openai:llama3:8b')?.options).toEqual({ model: 'llama3:8b' });
});

test.each(['./exec.ts', 'C:\\agent.ts', 'unknown', 'codex:fast', ''])('%j is not an agent kind', (text) => {
  expect(findAgentKind(text)).toBeUndefined();
});
