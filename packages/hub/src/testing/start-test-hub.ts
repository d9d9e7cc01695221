import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import {
  noAuthentication,
  serveRuntime,
  startRuntime,
  type Authentication,
  type Executor,
  type Observer,
} from '@holdword/runtime';
import { openMemoryStore, type Store } from '@holdword/store';
import { onTestFinished } from 'vitest';
import { createHub } from '../hub.ts';
import type { HubSettings } from '../hub-settings.ts';
import { hubExtensions, rejectAgentTokens } from '../serve/agent-authentication.ts';
import { answeringExecutor } from './answering-executor.ts';
import { hubClient, type CallerHeaders, type HubClient } from './hub-client.ts';

export interface TestHubOptions {
  /** The agent that answers, or one that is made with the store of the hub. */
  executor?: Executor | ((store: Store) => Executor);
  authentication?: Authentication;
  settings?: Partial<HubSettings>;
  observer?: Observer;
}

/** A hub on a free port, with a clock that the test controls. */
export interface TestHub extends HubClient {
  readonly url: string;
  readonly store: Store;
  readonly clock: { now: number };
  /** Calls a method that must succeed and returns its result. */
  result(method: string, params: JsonObject, headers?: CallerHeaders): Promise<JsonObject>;
  /** Registers an agent and returns its identity headers. */
  register(agentId: string, more?: JsonObject): Promise<CallerHeaders>;
}

/** Starts a hub that stops with its test. */
export async function startTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  const { executor = answeringExecutor, authentication = noAuthentication(), settings, observer } = options;
  const store = openMemoryStore();
  const clock = { now: Date.now() };
  const runtime = await startRuntime({
    store,
    executor: typeof executor === 'function' ? executor(store) : executor,
  });
  onTestFinished(() => runtime.stop({ graceMilliseconds: 0 }));
  const served = await serveRuntime({
    runtime,
    port: 0,
    authentication: rejectAgentTokens(authentication),
    extensions: hubExtensions,
    fallback: ({ url, card }) => {
      const hub = createHub({
        store,
        operations: runtime.operations,
        baseUrl: url,
        card,
        authentication,
        settings: { requestsPerMinute: 0, ...settings },
        now: () => clock.now,
        ...(observer && { observer }),
      });
      onTestFinished(() => hub.close());
      return hub.handle;
    },
  });
  onTestFinished(() => served.close({ graceMilliseconds: 0 }));
  return { url: served.url, store, clock, ...testCallers(served.url) };
}

function testCallers(url: string): Omit<TestHub, 'url' | 'store' | 'clock'> {
  const callers = hubClient(url);
  const result: TestHub['result'] = async (method, params, headers) => {
    const { body } = await callers.rpc(method, params, headers);
    if (body['result'] === undefined) throw new Error(`Expected a result, found ${JSON.stringify(body)}`);
    return asObject(body['result']);
  };
  return {
    ...callers,
    result,
    async register(agentId, more = {}) {
      const registered = await result('agents/register', { agent_id: agentId, ...more });
      return { 'x-delx-agent-id': agentId, 'x-delx-agent-token': tokenIn(registered) };
    },
  };
}

/** The token in the result of `agents/register`. */
export function tokenIn(registered: JsonObject): string {
  return String(asObject(registered['identity_auth'])['token']);
}
