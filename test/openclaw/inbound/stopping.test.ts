import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '@parley/protocol';
import { openSqliteStore } from '@parley/store/sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { unique } from '../../e2e/conversation.ts';
import { awaitCard } from '../harness/await-card.ts';
import { startGateway, type Gateway } from '../harness/gateway.ts';
import { createOpenClawHome, type OpenClawHome } from '../harness/openclaw-home.ts';
import { packedPlugin } from '../harness/packed-plugin.ts';
import { runOpenClaw } from '../harness/run-openclaw.ts';
import { ScriptedModel } from '../harness/scripted-model.ts';
import { startChannel } from '../harness/start-channel.ts';
import { ADA, PEERS } from './peers.ts';
import { pathsOf } from './start-inbound.ts';

/** A gateway that stops waits for its turns before it ends them: 75 s as a service, and five minutes otherwise. */
const LONG = { timeout: 600_000 };
const SERVICE = { OPENCLAW_SYSTEMD_UNIT: 'openclaw-gateway.service' };

const ADA_KEY = { authorization: `Bearer ${ADA}` };
const STRANGER = {};

const INTERRUPTED = {
  status: {
    state: 'TASK_STATE_FAILED',
    message: { parts: [{ text: expect.stringContaining('Interrupted') as unknown }] },
  },
};

describe('an account of a gateway that runs as a service', () => {
  let model: ScriptedModel;
  let home: OpenClawHome;
  let gateway: Gateway;
  const url = (): string => home.gatewayUrl.replace(/^ws/, 'http');

  async function start(): Promise<Gateway> {
    const started = await startGateway({ ...home, environment: { ...home.environment, ...SERVICE } });
    await awaitCard(url());
    return started;
  }

  async function call(method: string, params: object, headers: object): Promise<Task> {
    const response = await fetch(`${url()}/a2a/jsonrpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: Task | { task: Task }; error?: unknown };
    if (result === undefined) throw new Error(`Expected a task, found ${JSON.stringify(error)}`);
    return 'task' in result ? result.task : result;
  }

  const get = (id: string, headers: object): Promise<Task> => call('GetTask', { id }, headers);

  /** A turn that has said something and goes on. */
  async function begin(text: string, headers: object): Promise<Task> {
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
    const configuration = { returnImmediately: true };
    const task = await call('SendMessage', { message, configuration }, headers);
    await expect
      .poll(() => get(task.id, headers))
      .toMatchObject({ artifacts: [{ parts: [{ text: 'Half an' }] }] });
    return task;
  }

  async function patchAccounts(accounts: object): Promise<void> {
    const file = join(home.folder, 'patch.json');
    await writeFile(file, JSON.stringify({ channels: { a2a: { accounts } } }));
    expect((await runOpenClaw(home, 'config', 'patch', '--file', file)).code).toBe(0);
  }

  function hangOn(word: string): void {
    model.when(word, async (answer) => {
      answer.text('Half an');
      await answer.hang();
    });
  }

  beforeAll(async () => {
    model = await ScriptedModel.start();
    const { folder } = await packedPlugin('openclaw-inbound');
    home = await createOpenClawHome({
      model,
      configuration: (places) => {
        const publicBaseUrl = `http://127.0.0.1:${places.gatewayPort}`;
        const account = {
          publicBaseUrl,
          agentStyle: 'task-generating',
          taskStore: { kind: 'sqlite', path: join(places.folder, 'tasks') },
          auth: { peers: { ada: PEERS.ada } },
        };
        return {
          plugins: { load: { paths: [folder] }, entries: { 'openclaw-a2a-inbound': { enabled: true } } },
          channels: { a2a: { accounts: { default: account } } },
        };
      },
    });
    gateway = await start();
  });

  afterAll(async () => {
    await gateway.kill();
    await model.close();
    await home.remove();
  });

  test('says in channels status why it is blocked, and not that it works', async () => {
    const path = join(home.folder, 'occupied');
    const occupant = await openSqliteStore({ folder: path });
    onTestFinished(() => occupant.close());
    const occupied = { publicBaseUrl: url(), ...pathsOf('occupied'), taskStore: { kind: 'sqlite', path } };
    await patchAccounts({ occupied });
    const status = async (): Promise<string> => {
      const { stdout } = await runOpenClaw(home, 'channels', 'status', '--probe');
      return stdout
        .split('\n')
        .filter((line) => line.includes('occupied'))
        .join('\n');
    };
    await expect
      .poll(status)
      .toContain('store-in-use: channels.a2a.accounts.occupied.taskStore is in use by another process');
    expect(await status()).not.toContain('works');
    const response = await fetch(`${url()}/occupied/jsonrpc`, { method: 'POST' });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'A2A_ACCOUNT_NOT_RUNNING' } });
  });

  test('is stopped in the middle of a turn before the gateway loses patience', async () => {
    const word = unique('halt');
    hangOn(word);
    const task = await begin(`please ${word}`, ADA_KEY);
    const params = JSON.stringify({ channel: 'a2a' });
    const stopped = await runOpenClaw(home, 'gateway', 'call', 'channels.stop', '--params', params);
    expect(stopped.code).toBe(0);
    const { stdout } = await runOpenClaw(home, 'channels', 'status', '--json');
    expect(stdout).not.toContain('stop timed out');
    model.when(word, (answer) => answer.text('A whole answer.'));
    await startChannel(home, 'a2a');
    await awaitCard(url());
    await expect.poll(() => get(task.id, ADA_KEY)).toMatchObject(INTERRUPTED);
  });

  test(
    'completes no turn that the stopping gateway cut off: one with tools fails, one without runs again',
    LONG,
    async () => {
      const word = unique('stop');
      hangOn(word);
      const withTools = await begin(`please ${word}`, ADA_KEY);
      const without = await begin(`please ${word}`, STRANGER);
      await gateway.stop();
      model.when(word, (answer) => answer.text('A whole answer.'));
      gateway = await start();
      await expect.poll(() => get(withTools.id, ADA_KEY)).toMatchObject(INTERRUPTED);
      expect(JSON.stringify((await get(withTools.id, ADA_KEY)).status)).toContain(
        'the gateway ended the run',
      );
      await expect
        .poll(() => get(without.id, STRANGER))
        .toMatchObject({
          status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'A whole answer.' }] } },
        });
    },
  );
});
