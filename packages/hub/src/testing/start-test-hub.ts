import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import {
  noAuthentication,
  serveRuntime,
  startRuntime,
  type Authentication,
  type Executor,
  type Observer,
  type PushOptions,
} from '@holdword/runtime';
import { openMemoryStore, type Store } from '@holdword/store';
import { onTestFinished } from 'vitest';
import { createHub, type Hub } from '../hub.ts';
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
  push?: PushOptions;
}

/** A hub on a free port, with a clock that the test controls. */
export interface TestHub extends HubClient {
  readonly url: string;
  /** Its tables of methods, routes and mounts. */
  readonly hub: Hub;
  readonly store: Store;
  readonly clock: { now: number };
  /** Calls a method that must succeed and returns its result. */
  result(method: string, params: JsonObject, headers?: CallerHeaders): Promise<JsonObject>;
  /** Registers an agent and returns its identity headers. */
  register(agentId: string, more?: JsonObject): Promise<CallerHeaders>;
}

/** What a test does often is not limited. */
const NO_LIMITS = {
  requestsPerMinute: 0,
  agentRequestsPerMinute: 0,
  messagesPerMinute: 0,
  heartbeatsPerMinute: 0,
  registrationsPerMinute: 0,
};

/** Starts a hub that stops with its test. */
export async function startTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  const {
    executor = answeringExecutor,
    authentication = noAuthentication(),
    settings,
    observer,
    push,
  } = options;
  const store = openMemoryStore();
  const clock = { now: Date.now() };
  const runtime = await startRuntime({
    store,
    executor: typeof executor === 'function' ? executor(store) : executor,
    push,
  });
  onTestFinished(() => runtime.stop({ graceMilliseconds: 0 }));
  let hub: Hub | undefined;
  const served = await serveRuntime({
    runtime,
    port: 0,
    authentication: rejectAgentTokens(authentication),
    extensions: hubExtensions,
    fallback: ({ url, card }) => {
      const created = createHub({
        store,
        operations: runtime.operations,
        baseUrl: url,
        card,
        authentication,
        settings: { ...NO_LIMITS, ...settings },
        now: () => clock.now,
        ...(observer && { observer }),
      });
      onTestFinished(() => created.close());
      hub = created;
      return created.handle;
    },
  });
  onTestFinished(() => served.close({ graceMilliseconds: 0 }));
  if (hub === undefined) throw new Error('The server did not open its hub.');
  return { url: served.url, hub, store, clock, ...testCallers(served.url) };
}

function testCallers(url: string): Omit<TestHub, 'url' | 'hub' | 'store' | 'clock'> {
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
