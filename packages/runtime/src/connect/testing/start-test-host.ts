import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openMemoryStore, type Store } from '@holdword/store';
import { onTestFinished } from 'vitest';
import type { Executor } from '../../executors/executor.ts';
import { noAuthentication } from '../../serve/auth/authentication.ts';
import { connectWorker } from '../connect-worker.ts';
import type { ConnectedWorker, ConnectWorkerOptions } from '../worker.ts';
import { addConnectedAgent } from '../connected-agents.ts';
import { hostAgents, type HostAgentsOptions } from '../hosted-agents.ts';

/** The JSON of a task, as a client gets it. */
export interface SeenTask {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: { text?: string }[]; metadata?: Record<string, unknown> } };
  artifacts?: { artifactId: string; parts: { text?: string }[]; metadata?: Record<string, unknown> }[];
  history?: { role: string; parts: { text?: string }[] }[];
}

/** What a host answers a worker, whichever request it was. */
export interface HostAnswer {
  news: { turn: { taskId: string; fence: string }; abort: { reason: string } }[];
  receipts: unknown[];
  error: { message: string };
}

interface SeenCard {
  name: string;
  capabilities: { extensions: { uri: string; params?: Record<string, unknown> }[] };
}

export interface TestHost {
  readonly url: string;
  readonly port: number;
  readonly store: Store;
  /** The token of the agent `laptop`. */
  readonly token: string;
  /** Calls a method of the agent over JSON-RPC. */
  call<Result>(method: string, params: object, agent?: string): Promise<Result>;
  /** Sends a text and returns the task at once. */
  send(text: string, more?: object): Promise<SeenTask>;
  /** Sends a text and waits for the task. */
  ask(text: string, more?: object): Promise<SeenTask>;
  task(id: string): Promise<SeenTask>;
  /** Resolves with the task once the test is true of it. */
  taskWhen(id: string, isSo: (task: SeenTask) => boolean): Promise<SeenTask>;
  /** A request as a worker sends it. */
  post(route: string, body: unknown, token?: string): Promise<{ status: number; json: HostAnswer }>;
  connect(
    executor: Executor | Executor['execute'],
    options?: Partial<ConnectWorkerOptions>,
  ): Promise<ConnectedWorker>;
  card(): Promise<SeenCard>;
  /** Listens on another port, too. */
  serveAlso(port: number): Promise<void>;
  stop(): Promise<void>;
}

/** A host on a real port, with the agent `laptop`. Stops with its test. */
export async function startTestHost(
  options: Partial<HostAgentsOptions> & {
    port?: number;
    token?: string;
    beforeServing?: () => Promise<void>;
  } = {},
): Promise<TestHost> {
  const store = options.store ?? openMemoryStore();
  const agents = await hostAgents({ workerLeaseMilliseconds: 3_000, ...options, store, records: store });
  await options.beforeServing?.();
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const handle = agents.mount({ url, authentication: noAuthentication() });
  const answer: RequestListener = (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    if (!handle(path, query, request, response)) response.writeHead(404).end();
  };
  server.on('request', answer);
  const token = options.token ?? (await addConnectedAgent(store, { name: 'laptop' })).token;
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= (async () => {
      await agents.stop({ graceMilliseconds: 0 });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    })();
    return stopped;
  };
  onTestFinished(stop);
  const call: TestHost['call'] = async (method, params, agent = 'laptop') => {
    const response = await fetch(`${url}/agents/${agent}/a2a/jsonrpc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(error.message);
    return result as never;
  };
  const sendMessage = async (text: string, more: object, configuration: object): Promise<SeenTask> => {
    const message = { role: 'ROLE_USER', messageId: crypto.randomUUID(), parts: [{ text }], ...more };
    return (await call<{ task: SeenTask }>('SendMessage', { message, configuration })).task;
  };
  const task = (id: string): Promise<SeenTask> => call('GetTask', { id });
  return {
    url,
    port,
    store,
    token,
    call,
    send: (text, more = {}) => sendMessage(text, more, { returnImmediately: true }),
    ask: (text, more = {}) => sendMessage(text, more, {}),
    task,
    async taskWhen(id, isSo) {
      for (;;) {
        const seen = await task(id);
        if (isSo(seen)) return seen;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async post(route, body, bearer = token) {
      const response = await fetch(`${url}/connect/v1/${route}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return { status: response.status, json: (await response.json()) as HostAnswer };
    },
    async connect(executor, more = {}) {
      const worker = await connectWorker({
        host: url,
        token,
        executor: typeof executor === 'function' ? { execute: executor } : executor,
        ...more,
      });
      onTestFinished(() => worker.stop({ graceMilliseconds: 0 }));
      return worker;
    },
    card: async () =>
      (await fetch(`${url}/agents/laptop/.well-known/agent-card.json`)).json() as Promise<SeenCard>,
    async serveAlso(other) {
      const also = createServer(answer);
      await new Promise<void>((resolve) => also.listen(other, '127.0.0.1', resolve));
      onTestFinished(() => {
        also.closeAllConnections();
        also.close();
      });
    },
    stop,
  };
}

export function stateOf({ status }: SeenTask): string {
  return status.state.replace('TASK_STATE_', '');
}

export function textOf({ status }: SeenTask): string {
  return status.message?.parts.map(({ text = '' }) => text).join('') ?? '';
}
