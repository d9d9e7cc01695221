import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HoldwordProcess } from '@holdword/cli/testing';
import { isTerminal, type Task } from '@holdword/protocol';
import { freePort } from '../../support/free-port.ts';
import type { Random } from '../random.ts';
import { CuttingProxy } from './cutting-proxy.ts';

const AGENT = fileURLToPath(new URL('../fixtures/counting-agent.ts', import.meta.url));
const WORKERS = 2;
const SLOTS = 4;
const LEASE_SECONDS = 3;
const CHUNKS = '0 1 2 3 4 5 6 7 ';
/** Nothing that was accepted may take longer to end once everybody is back. */
const SETTLE_MILLISECONDS = 120_000;
/** How many messages of a context are on their way, so that new ones come during all of the campaign. */
const MOST_OPEN = 30;
const POLL_MILLISECONDS = 100;

export interface CampaignOptions {
  /** Whether the agent can continue what another worker has begun. */
  readonly resumes: boolean;
  /** How many hosts share the store. Each has a part of the workers, and messages go to any of them. */
  readonly hosts?: number;
  /** Where the store is, if not in the folder. */
  readonly environment?: Readonly<Record<string, string>>;
}

interface HostProcess {
  readonly port: number;
  readonly proxy: CuttingProxy;
  process: HoldwordProcess | undefined;
}

/** One message that was sent, and the task that answered. */
interface Sent {
  readonly text: string;
  readonly contextId: string;
  readonly taskId: string;
}

export type Fault = 'kill-worker' | 'kill-host' | 'cut' | 'pause-worker';
export const FAULTS: readonly Fault[] = ['kill-worker', 'kill-host', 'cut', 'pause-worker'];

/**
 * A host and its workers, as processes, under load while they are killed, paused and cut off from each other.
 *
 * Responsible for the processes, for sending each message until it is acknowledged, and for comparing what was acknowledged with
 * what the host has in the end and with the traces that the agent left outside of it.
 */
export class ConnectCampaign {
  readonly sent: Sent[] = [];
  readonly #folder: string;
  readonly #random: Random;
  readonly #resumes: boolean;
  readonly #stopLoad = new AbortController();
  readonly #workers: (HoldwordProcess | undefined)[] = [];
  readonly #hosts: HostProcess[] = [];
  readonly #environment: Readonly<Record<string, string>>;
  readonly #hostCount: number;
  #token = '';
  #lostWorkers = 0;

  constructor(folder: string, random: Random, { resumes, hosts = 1, environment = {} }: CampaignOptions) {
    this.#folder = folder;
    this.#random = random;
    this.#resumes = resumes;
    this.#hostCount = hosts;
    this.#environment = environment;
  }

  async start(): Promise<void> {
    const config = { leaseSeconds: LEASE_SECONDS, hostedAgents: { workerLeaseSeconds: LEASE_SECONDS } };
    await writeFile(join(this.#folder, 'holdword.config.json'), JSON.stringify(config));
    await writeFile(this.#trace, '');
    const add = new HoldwordProcess(['agents', 'add', 'counter'], {
      cwd: this.#folder,
      environment: this.#environment,
    });
    await add.ended;
    this.#token = add.stdout().trim();
    for (let index = 0; index < this.#hostCount; index += 1) {
      const port = await freePort();
      const host = { port, process: undefined, proxy: await CuttingProxy.start(port) };
      this.#hosts.push(host);
      await this.#startHost(host);
    }
    await Promise.all(Array.from({ length: WORKERS }, (_, index) => this.#startWorker(index)));
  }

  /** Sends messages, in several contexts each in order and as fast as they are done, until `tasks` are acknowledged. */
  async load(tasks: number, contexts: number): Promise<void> {
    const each = Math.ceil(tasks / contexts);
    await Promise.all(
      Array.from({ length: contexts }, async (_, context) => {
        const open: string[] = [];
        for (let number = 0; number < each && !this.#stopLoad.signal.aborted; number += 1) {
          const oldest = open.length < MOST_OPEN ? undefined : open.shift();
          if (oldest !== undefined) await this.#settled(oldest, Infinity, this.#stopLoad.signal);
          const taskId = await this.#send(`context-${context}`, `${number}`);
          if (taskId !== undefined) open.push(taskId);
        }
      }),
    );
  }

  async fault(kind: Fault): Promise<void> {
    await pause(this.#random.integer(50, 600));
    const index = this.#random.integer(0, WORKERS - 1);
    const host = this.#random.pick(this.#hosts);
    if (kind === 'cut') host.proxy.cut();
    else if (kind === 'kill-host') {
      await host.process?.kill();
      await this.#startHost(host);
    } else if (kind === 'kill-worker') {
      this.#lostWorkers += 1;
      await this.#workers[index]?.kill();
      await this.#startWorker(index);
    } else {
      this.#lostWorkers += 1;
      this.#workers[index]?.signal('SIGSTOP');
      await pause(2 * LEASE_SECONDS * 1000);
      this.#workers[index]?.signal('SIGCONT');
    }
  }

  /** Waits until every task has ended, and returns what is wrong and what was counted. */
  async verify(): Promise<{ violations: string[]; facts: Record<string, number> }> {
    const violations: string[] = [];
    const tasks = new Map<string, Task>();
    const deadline = Date.now() + SETTLE_MILLISECONDS;
    for (const { taskId } of this.sent) {
      const task = await this.#settled(taskId, deadline);
      if (task === undefined) continue;
      tasks.set(taskId, task);
      const { state } = task.status;
      if (!isTerminal(state)) violations.push(`task ${taskId} is stuck as ${state}`);
    }
    if (tasks.size !== this.sent.length) violations.push('two messages have the same task');
    const failed = [...tasks.values()].filter(({ status }) => status.state === 'TASK_STATE_FAILED');
    for (const task of tasks.values()) violations.push(...this.#wrongWith(task));
    const begun = await this.#begun();
    violations.push(...this.#wrongOrder(begun), ...this.#repeated(begun, tasks));
    return {
      violations,
      facts: {
        tasks: tasks.size,
        'failed with a reason': failed.length,
        'turns begun': begun.length,
        'workers killed or paused': this.#lostWorkers,
      },
    };
  }

  async end(): Promise<void> {
    this.#stopLoad.abort();
    for (const worker of this.#workers) worker?.signal('SIGCONT');
    const hosts = this.#hosts.map(({ process }) => process);
    await Promise.all([...this.#workers, ...hosts].map(async (each) => each?.kill()));
    await Promise.all(this.#hosts.map(({ proxy }) => proxy.close()));
  }

  get #trace(): string {
    return join(this.#folder, 'trace.txt');
  }

  #wrongWith({ id, status, artifacts = [] }: Task): string[] {
    const counted = artifacts.flatMap(({ parts }) => parts.map(({ text = '' }) => text)).join('');
    if (status.state === 'TASK_STATE_COMPLETED')
      return counted === CHUNKS ? [] : [`task ${id} is completed with "${counted}"`];
    const text = status.message?.parts[0]?.text ?? '';
    if (status.state !== 'TASK_STATE_FAILED' || !text.startsWith('Interrupted: '))
      return [`task ${id} is ${status.state}: ${text}`];
    if (this.#resumes) return [`task ${id} has failed, although its agent can resume: ${text}`];
    return CHUNKS.startsWith(counted) ? [] : [`task ${id} has failed with "${counted}"`];
  }

  /** A turn of an agent that cannot resume is begun once, and each one that has an outcome was begun. */
  #repeated(begun: readonly Sent[], tasks: ReadonlyMap<string, Task>): string[] {
    const counts = new Map<string, number>();
    for (const { taskId } of begun) counts.set(taskId, (counts.get(taskId) ?? 0) + 1);
    const unknown = [...counts.keys()].filter((taskId) => !tasks.has(taskId));
    const twice = this.#resumes ? [] : [...counts].filter(([, count]) => count > 1);
    return [
      ...unknown.map((taskId) => `task ${taskId} was run, and nobody knows it`),
      ...twice.map(([taskId, count]) => `task ${taskId} was begun ${count} times`),
    ];
  }

  /** The turns of a context begin in the order in which their messages were acknowledged. */
  #wrongOrder(begun: readonly Sent[]): string[] {
    const last = new Map<string, number>();
    return begun.flatMap(({ contextId, text, taskId }) => {
      const before = last.get(contextId) ?? -1;
      last.set(contextId, Math.max(before, Number(text)));
      return Number(text) < before ? [`task ${taskId} of ${contextId}: ${text} began after ${before}`] : [];
    });
  }

  async #begun(): Promise<Sent[]> {
    const lines = (await readFile(this.#trace, 'utf8')).split('\n').filter((line) => line !== '');
    return lines.map((line) => {
      const [taskId = '', contextId = '', text = ''] = line.split(' ');
      return { taskId, contextId, text };
    });
  }

  async #startHost(host: HostProcess): Promise<void> {
    const words = ['serve', '--host-agents', '--port', String(host.port), '--grpc-port', 'off'];
    host.process = new HoldwordProcess(words, { cwd: this.#folder, environment: this.#environment });
    await host.process.printed(/Ctrl-C/);
  }

  async #startWorker(index: number): Promise<void> {
    const data = join(this.#folder, `worker-${index}`);
    const words = [
      'connect',
      this.#hosts[index % this.#hosts.length]?.proxy.url ?? '',
      '--agent',
      AGENT,
      '--slots',
      String(SLOTS),
      '--data',
      data,
    ];
    const worker = new HoldwordProcess(words, {
      environment: {
        HOLDWORD_WORKER_TOKEN: this.#token,
        CONNECT_TRACE: this.#trace,
        CONNECT_RESUMES: this.#resumes ? 'yes' : 'no',
      },
    });
    this.#workers[index] = worker;
    await worker.printed(/is connected/);
  }

  /** A message without an answer is sent again, under the same key, until there is one. */
  async #send(contextId: string, text: string): Promise<string | undefined> {
    const messageId = crypto.randomUUID();
    const message = { messageId, contextId, role: 'ROLE_USER', parts: [{ text }] };
    const params = { message, configuration: { returnImmediately: true } };
    while (!this.#stopLoad.signal.aborted) {
      const answer = await this.#call('SendMessage', params, messageId);
      const task = (answer as { task?: Task } | undefined)?.task;
      if (task !== undefined) {
        this.sent.push({ text, contextId, taskId: task.id });
        return task.id;
      }
      await pause(50);
    }
    return undefined;
  }

  async #settled(id: string, deadline: number, signal?: AbortSignal): Promise<Task | undefined> {
    for (;;) {
      const task = (await this.#call('GetTask', { id, historyLength: 0 })) as Task | undefined;
      if (task !== undefined && (isTerminal(task.status.state) || Date.now() > deadline)) return task;
      if (Date.now() > deadline + 60_000) throw new Error(`Task ${id} cannot be read.`);
      if (signal?.aborted === true) return undefined;
      await pause(POLL_MILLISECONDS);
    }
  }

  /** Undefined if the host did not answer. */
  async #call(method: string, params: object, key?: string): Promise<unknown> {
    const { port } = this.#random.pick(this.#hosts);
    try {
      const response = await fetch(`http://127.0.0.1:${port}/agents/counter/a2a/jsonrpc`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'A2A-Version': '1.0',
          ...(key !== undefined && { 'Idempotency-Key': key }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(10_000),
      });
      return ((await response.json()) as { result?: unknown }).result;
    } catch {
      return undefined;
    }
  }
}
