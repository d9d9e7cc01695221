import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '@holdword/protocol';
import { expect, vi } from 'vitest';
import { awaitCard } from '../harness/await-card.ts';
import { startGateway } from '../harness/gateway.ts';
import { createOpenClawHome, type OpenClawHome } from '../harness/openclaw-home.ts';
import { packedPlugin } from '../harness/packed-plugin.ts';
import { runOpenClaw } from '../harness/run-openclaw.ts';
import { ScriptedModel } from '../harness/scripted-model.ts';
import { ADA, PEERS } from './peers.ts';

/** As a service, a stopping gateway waits 75 s for its turns; otherwise five minutes. */
const SERVICE = { OPENCLAW_SYSTEMD_UNIT: 'openclaw-gateway.service' };

export const ADA_KEY = { authorization: `Bearer ${ADA}` };
export const ANONYMOUS = {};

const HALF: unknown = expect.objectContaining({ parts: [{ text: 'Half an' }] });
const HAS_TEXT: unknown = expect.arrayContaining([HALF]);
/** For a busy machine. */
export const PATIENCE = { timeout: 120_000, interval: 100 };

/** A gateway running as a service, with the plugin and one account. */
export interface Service {
  readonly model: ScriptedModel;
  readonly home: OpenClawHome;
  readonly url: string;
  /** Makes the model start an endless answer to this word. */
  hangOn(word: string): void;
  /** A running turn that has produced these artifacts, text unless told otherwise. */
  begin(text: string, headers: object, artifacts?: unknown): Promise<Task>;
  get(id: string, headers: object): Promise<Task>;
  patchAccounts(accounts: object): Promise<void>;
  /** Stops the gateway like a service manager, and starts it again when `prepare` is done. */
  restart(prepare: () => void): Promise<void>;
  /** Kills the gateway, like a crash. */
  kill(): Promise<void>;
  /** Starts the gateway again. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const model = await ScriptedModel.start();
  const { folder } = await packedPlugin('openclaw-inbound');
  const home = await createOpenClawHome({
    model,
    configuration: (places) => {
      const account = {
        publicBaseUrl: `http://127.0.0.1:${places.gatewayPort}`,
        agentStyle: 'task-generating',
        taskStore: { kind: 'sqlite', path: join(places.folder, 'tasks') },
        auth: { peers: { ada: PEERS.ada, bert: PEERS.bert } },
      };
      return {
        plugins: { load: { paths: [folder] }, entries: { 'openclaw-a2a-inbound': { enabled: true } } },
        channels: { a2a: { accounts: { default: account } } },
      };
    },
  });
  const url = home.gatewayUrl.replace(/^ws/, 'http');
  const start = async () => {
    const started = await startGateway({ ...home, environment: { ...home.environment, ...SERVICE } });
    await awaitCard(url);
    return started;
  };
  let gateway = await start();
  const get = (id: string, headers: object): Promise<Task> => call(url, 'GetTask', { id }, headers);
  return {
    model,
    home,
    url,
    get,
    hangOn: (word) => {
      model.when(word, async (answer) => {
        answer.text('Half an');
        await answer.hang();
      });
    },
    begin: async (text, headers, artifacts = HAS_TEXT) => {
      const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
      const configuration = { returnImmediately: true };
      const task = await call(url, 'SendMessage', { message, configuration }, headers);
      await vi.waitFor(
        async () => expect(await get(task.id, headers)).toMatchObject({ artifacts }),
        PATIENCE,
      );
      return task;
    },
    patchAccounts: async (accounts) => {
      const file = join(home.folder, 'patch.json');
      await writeFile(file, JSON.stringify({ channels: { a2a: { accounts } } }));
      expect((await runOpenClaw(home, 'config', 'patch', '--file', file)).code).toBe(0);
    },
    restart: async (prepare) => {
      await gateway.stop();
      prepare();
      gateway = await start();
    },
    kill: () => gateway.kill(),
    start: async () => {
      gateway = await start();
    },
    close: async () => {
      await gateway.kill();
      await model.close();
      await home.remove();
    },
  };
}

async function call(url: string, method: string, params: object, headers: object): Promise<Task> {
  const response = await fetch(`${url}/a2a/jsonrpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: Task | { task: Task }; error?: unknown };
  if (result === undefined) throw new Error(`Expected a task, found ${JSON.stringify(error)}`);
  return 'task' in result ? result.task : result;
}
