import type { JsonObject } from '@parley/protocol';
import { asObject } from '@parley/protocol/legacy';
import { startRuntime, type Executor } from '@parley/runtime';
import { noAuthentication, serveAgent, type Authentication } from '@parley/runtime/serve';
import { openMemoryStore, type Store } from '@parley/store';
import { onTestFinished } from 'vitest';
import { createHub } from '../hub.ts';
import type { HubSettings } from '../hub-settings.ts';
import { answeringExecutor } from './answering-executor.ts';

export interface TestHubOptions {
  executor?: Executor;
  authentication?: Authentication;
  settings?: Partial<HubSettings>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

export type TestHeaders = Record<string, string>;

/** A hub on a port of its own, with a clock that a test moves. */
export interface TestHub {
  readonly url: string;
  readonly store: Store;
  readonly clock: { now: number };
  /** Sends any body to `/v1/a2a`. */
  post(body: string, headers?: TestHeaders): Promise<TestAnswer>;
  rpc(method: string, params: JsonObject, headers?: TestHeaders): Promise<TestAnswer>;
  /** The result of a call that must not be refused. */
  result(method: string, params: JsonObject, headers?: TestHeaders): Promise<JsonObject>;
  get(path: string, headers?: TestHeaders): Promise<TestAnswer>;
  /** Registers an agent and gives the headers that prove it. */
  register(agentId: string, more?: JsonObject): Promise<TestHeaders>;
}

/** Stops with its test. */
export async function startTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  const { executor = answeringExecutor, authentication = noAuthentication(), settings } = options;
  const store = openMemoryStore();
  const clock = { now: Date.now() };
  const runtime = await startRuntime({ store, executor });
  onTestFinished(() => runtime.stop({ graceMilliseconds: 0 }));
  const served = await serveAgent({
    runtime,
    port: 0,
    authentication,
    beside: ({ url, card }) => {
      const hub = createHub({
        store,
        operations: runtime.operations,
        baseUrl: url,
        card,
        authentication,
        settings: { requestsPerMinute: 0, ...settings },
        now: () => clock.now,
      });
      onTestFinished(() => hub.close());
      return hub.handle;
    },
  });
  onTestFinished(() => served.close({ graceMilliseconds: 0 }));
  return { url: served.url, store, clock, ...callers(served.url) };
}

function callers(url: string): Omit<TestHub, 'url' | 'store' | 'clock'> {
  const post: TestHub['post'] = (body, headers) =>
    send(`${url}/v1/a2a`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  const rpc: TestHub['rpc'] = (method, params, headers) =>
    post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers);
  const result: TestHub['result'] = async (method, params, headers) => {
    const { body } = await rpc(method, params, headers);
    if (body['result'] === undefined) throw new Error(`Expected a result, found ${JSON.stringify(body)}`);
    return asObject(body['result']);
  };
  return {
    post,
    rpc,
    result,
    get: (path, headers = {}) => send(`${url}${path}`, { headers }),
    async register(agentId, more = {}) {
      const registered = await result('agents/register', { agent_id: agentId, ...more });
      return { 'x-delx-agent-id': agentId, 'x-delx-agent-token': tokenIn(registered) };
    },
  };
}

/** The token in the answer of `agents/register`. */
export function tokenIn(registered: JsonObject): string {
  return String(asObject(registered['identity_auth'])['token']);
}

async function send(url: string, init: RequestInit): Promise<TestAnswer> {
  const response = await fetch(url, init);
  const body: JsonObject = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, body };
}
