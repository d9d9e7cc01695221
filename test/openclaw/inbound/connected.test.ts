import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldwordProcess } from '@holdword/cli/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  allEvents,
  artifactTexts,
  oneByOne,
  say,
  sayAndLeave,
  sendForTask,
  unique,
} from '../../e2e/conversation.ts';
import { type Driver, VERSIONS, type Version } from '../../support/drivers/driver.ts';
import { openDrivers } from '../../support/drivers/open-drivers.ts';
import { freePort } from '../../support/free-port.ts';
import { Gates } from '../../support/gates.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Gateway, startGateway } from '../harness/gateway.ts';
import { createOpenClawHome, type OpenClawHome } from '../harness/openclaw-home.ts';
import {
  namespaceProblem,
  openOutwardNamespace,
  type OutwardNamespace,
} from '../harness/outward-namespace.ts';
import { packedPlugin } from '../harness/packed-plugin.ts';
import { ScriptedModel } from '../harness/scripted-model.ts';
import { AGENTS, BINDINGS } from './peers.ts';

const problem = namespaceProblem();
if (problem !== undefined)
  process.stdout.write(
    `Skipped: a gateway without an inbound path needs "unshare --net" and "ip", which do not work here: ${problem}\n`,
  );

/** The gateway has to be ready and connected, on a busy machine too. */
const START_MILLISECONDS = 300_000;
const WORKER_LEASE_SECONDS = 10;

/** A host, and an OpenClaw that nobody can reach, which connects to it. */
class ConnectedStage {
  readonly gates = new Gates();
  readonly #folder: string;
  readonly #port: number;
  readonly #key: string;
  readonly model: ScriptedModel;
  readonly home: OpenClawHome;
  readonly namespace: OutwardNamespace;
  readonly #drivers: ReturnType<typeof openDrivers>;
  #host: HoldwordProcess | undefined;
  #gateway: Gateway | undefined;

  private constructor(parts: {
    folder: string;
    port: number;
    key: string;
    model: ScriptedModel;
    home: OpenClawHome;
    namespace: OutwardNamespace;
  }) {
    this.#folder = parts.folder;
    this.#port = parts.port;
    this.#key = parts.key;
    this.model = parts.model;
    this.home = parts.home;
    this.namespace = parts.namespace;
    const url = this.url;
    this.#drivers = openDrivers({
      baseUrl: new URL(url).origin,
      cardPath: `${new URL(url).pathname}/.well-known/agent-card.json`,
      jsonRpcUrl: `${url}/a2a/jsonrpc`,
      restUrl: `${url}/a2a/rest`,
      grpcAddress: '',
    });
  }

  static async start(folder: string): Promise<ConnectedStage> {
    const port = await freePort();
    const settings = { hostedAgents: { workerLeaseSeconds: WORKER_LEASE_SECONDS } };
    await writeFile(join(folder, 'holdword.config.json'), JSON.stringify(settings));
    const token = await printedBy(folder, 'agents', 'add', 'claw', '--callers', 'ada');
    const key = await printedBy(folder, 'keys', 'add', 'ada');
    const model = await ScriptedModel.start();
    const plugin = await packedPlugin('openclaw-inbound');
    const ada = { hostCaller: 'key:ada', tools: 'all', mayApprove: true, agentId: 'careful' };
    const account = {
      connect: { host: `http://127.0.0.1:${port}`, token },
      auth: { required: true, peers: { ada } },
    };
    const home = await createOpenClawHome({
      model,
      configuration: {
        plugins: {
          load: { paths: [plugin.folder] },
          entries: { 'openclaw-a2a-inbound': { enabled: true } },
        },
        channels: { a2a: { accounts: { default: account } } },
        agents: AGENTS,
        bindings: BINDINGS,
      },
    });
    const ports = [port, Number(new URL(model.baseUrl).port)];
    const namespace = await openOutwardNamespace(home.command, { folder, ports });
    const stage = new ConnectedStage({ folder, port, key, model, home, namespace });
    await stage.startHost();
    await stage.startGateway();
    return stage;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/agents/claw`;
  }

  client(version: Version): Promise<Driver> {
    const authorization = `Bearer ${this.#key}`;
    return this.#drivers.open({ binding: 'JSONRPC', version, client: 'sdk' }, { authorization });
  }

  async startHost(): Promise<void> {
    const words = ['serve', '--host-agents', '--port', String(this.#port), '--grpc-port', 'off'];
    this.#host = new HoldwordProcess(words, { cwd: this.#folder });
    await this.#host.printed(/Ctrl-C/);
  }

  async startGateway(): Promise<void> {
    const inside = { ...this.home, command: this.namespace.command };
    this.#gateway = await startGateway(inside, () => this.isOnline(), START_MILLISECONDS);
  }

  async killHost(): Promise<void> {
    await this.#host?.kill();
  }

  async killGateway(): Promise<void> {
    await this.#gateway?.kill();
  }

  /** As the card says. */
  async isOnline(): Promise<boolean> {
    const response = await fetch(`${this.url}/.well-known/agent-card.json`);
    return (await response.text()).includes('"online":true');
  }

  async close(): Promise<void> {
    await this.#drivers.close();
    await this.killGateway();
    await this.killHost();
    await this.namespace.close();
    await this.model.close();
    await this.home.remove();
  }
}

async function printedBy(cwd: string, ...words: string[]): Promise<string> {
  const program = new HoldwordProcess(words, { cwd });
  expect(await program.ended).toBe(0);
  return program.stdout().trim();
}

describe.skipIf(problem !== undefined)('an OpenClaw without an inbound path that connects to a host', () => {
  let stage: ConnectedStage;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    stage = await ConnectedStage.start(folder.path);
  }, 2 * START_MILLISECONDS);
  afterAll(async () => {
    await stage?.close();
    await folder?.remove();
  });

  test('is reached by nobody but its host', async () => {
    const interfaces = await readFile(stage.namespace.interfacesFile, 'utf8');
    expect(interfaces.match(/^ *\S+:/gm)?.map((name) => name.trim())).toEqual(['lo:']);
    await expect(fetch(`${stage.home.gatewayUrl.replace(/^ws/, 'http')}/healthz`)).rejects.toThrow(
      'fetch failed',
    );
    expect(await stage.isOnline()).toBe(true);
  });

  describe.each(VERSIONS)('called by the official client of A2A %s', (version) => {
    test('streams', async () => {
      const word = unique('tell');
      stage.model.when(word, async (answer) => {
        answer.text('Once upon');
        await stage.gates.pass(word);
        answer.text(' a time.');
      });
      const client = await stage.client(version);
      const reader = oneByOne(client.stream(say(`please ${word}`)));
      const { id } = await reader.nextTask();
      await stage.gates.reached(word);
      await expect
        .poll(async () => artifactTexts(await client.get({ id })))
        .toEqual({ 'assistant-output-0001': 'Once upon' });
      stage.gates.open(word);
      expect((await reader.rest()).at(-1)).toBe('completed Once upon a time.');
    });

    test('is canceled, and its model request is aborted', async () => {
      const word = unique('ever');
      stage.model.when(word, (answer) => answer.hang());
      const client = await stage.client(version);
      const { id } = await sendForTask(client, sayAndLeave(`think for ${word}`));
      await expect.poll(() => stage.model.requestsWith(word).length).toBe(1);
      expect((await client.cancel({ id })).status.state).toBe('TASK_STATE_CANCELED');
      await expect.poll(() => stage.model.requestsWith(word)[0]?.abandoned).toBe(true);
    });

    test('asks for an approval, and continues with the answer', async () => {
      const word = unique('permit');
      const command = `echo ran-${word}`;
      stage.model.when(word, (answer, { toolResults: [result] }) => {
        if (result === undefined) answer.callTool('exec', { command });
        else answer.text(result.trim() === `ran-${word}` ? 'It ran.' : 'It did not run.');
      });
      const client = await stage.client(version);
      const asked = await sendForTask(client, say(`please ${word}`));
      expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      expect(JSON.stringify(asked.status.message?.parts)).toContain(command);
      const { id: taskId, contextId } = asked;
      const done = await sendForTask(client, say('allow-once', { taskId, contextId }));
      expect(done).toMatchObject({ id: taskId, status: { state: 'TASK_STATE_COMPLETED' } });
      expect(Object.values(artifactTexts(done)).at(-1)).toBe('It ran.');
    });
  });

  test('a question that is canceled does not keep its conversation', async () => {
    const word = unique('drop');
    stage.model.when(word, (answer, { userText }) => {
      if (userText.includes('again')) answer.text('Here I am.');
      else answer.callTool('exec', { command: `echo ${word}` });
    });
    const client = await stage.client('1.0');
    const { id, contextId } = await sendForTask(client, say(`please ${word}`));
    await client.cancel({ id });
    const next = await sendForTask(client, say(`${word} again`, { contextId }));
    expect(next.status.state).toBe('TASK_STATE_COMPLETED');
    expect(Object.values(artifactTexts(next)).at(-1)).toBe('Here I am.');
  });

  test.each(VERSIONS)(
    'a turn continues when its host is killed and starts again, A2A %s',
    async (version) => {
      const word = unique('host');
      stage.model.when(word, async (answer) => {
        answer.text('Before,');
        await stage.gates.pass(word);
        answer.text(' and after.');
      });
      const client = await stage.client(version);
      const { id } = await sendForTask(client, sayAndLeave(`tell ${word}`));
      await stage.gates.reached(word);
      await stage.killHost();
      stage.gates.open(word);
      await stage.startHost();
      await expect.poll(async () => (await client.get({ id })).status.state).toBe('TASK_STATE_COMPLETED');
      expect(artifactTexts(await client.get({ id }))).toEqual({
        'assistant-output-0001': 'Before, and after.',
      });
      expect(stage.model.requestsWith(word)).toHaveLength(1);
    },
  );

  test(
    'a turn runs again when the gateway is killed and starts again, and its readers see the end',
    async () => {
      const words = VERSIONS.map(() => unique('gateway'));
      const hung = new Set<string>();
      for (const word of words)
        stage.model.when(word, async (answer) => {
          if (hung.has(word)) answer.text('Told at last.');
          else {
            hung.add(word);
            await answer.hang();
          }
        });
      const clients = await Promise.all(VERSIONS.map((version) => stage.client(version)));
      const readers = await Promise.all(
        clients
          .map(async (client, index) => {
            const { id } = await sendForTask(client, sayAndLeave(`tell ${words[index]}`));
            return allEvents(client.subscribe({ id }));
          })
          .map(async (events) => ({ events })),
      );
      await expect.poll(() => hung.size).toBe(2);
      await stage.killGateway();
      await expect.poll(() => stage.isOnline()).toBe(false);
      await stage.startGateway();
      for (const { events } of readers)
        expect(JSON.stringify((await events).at(-1))).toContain('TASK_STATE_COMPLETED');
    },
    2 * START_MILLISECONDS,
  );
});
