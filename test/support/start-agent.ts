import type { CardSigningKey } from '@holdword/protocol';
import {
  addKey,
  apiKeyAuthentication,
  revokeKey,
  serveRuntime,
  startRuntime,
  type AgentDescription,
  type Executor,
  type Limits,
  type RuntimeOptions,
  type ServeRuntimeOptions,
} from '@holdword/runtime';
import type { DriverTarget } from './drivers/driver.ts';
import { openDrivers } from './drivers/open-drivers.ts';
import { Gates } from './gates.ts';
import { openStore, type StoreKind } from './open-store.ts';
import { scriptedAgent } from './scripted-agent.ts';
import type { TestAgent } from './test-agent.ts';

export interface AgentOptions {
  /**
   * The agent to serve.
   *
   * @default the scripted agent
   */
  executor?: Executor;
  store?: StoreKind;
  /** Callers need an API key. */
  apiKeys?: boolean;
  bodyBytes?: number;
  limits?: Limits;
  signingKey?: CardSigningKey;
  /** The extended card for authenticated callers; undefined declares one without providing it. */
  extendedAgent?: () => AgentDescription | undefined;
  runtime?: Partial<RuntimeOptions>;
}

/** Starts a complete server in this process: a store in a temporary folder, the runtime, and all three bindings on free ports. */
export async function startAgent(options: AgentOptions = {}): Promise<TestAgent> {
  const scripted = scriptedAgent();
  const temporary = await openStore(options.store);
  const { store } = temporary;
  const runtime = await startRuntime({
    store,
    executor: options.executor ?? scripted,
    ...options.runtime,
  });
  const served = await serveRuntime({
    runtime,
    port: 0,
    grpcPort: 0,
    ...(options.apiKeys === true && { authentication: apiKeyAuthentication(store) }),
    ...edgeOptions(options),
  });
  const target: DriverTarget = {
    baseUrl: served.url,
    jsonRpcUrl: served.jsonRpcUrl,
    restUrl: served.restUrl,
    grpcAddress: served.grpcAddress ?? '',
  };
  const drivers = openDrivers(target);
  return {
    target,
    gates: options.executor === undefined ? scripted.gates : new Gates(),
    driver: drivers.open,
    addKey: async (name) => (await addKey(store, { name })).token,
    revokeKey: (name) => revokeKey(store, name),
    close: async () => {
      await drivers.close();
      await served.close({ graceMilliseconds: 0 });
      await runtime.stop({ graceMilliseconds: 0 });
      await temporary.remove();
    },
  };
}

function edgeOptions(options: AgentOptions): Partial<ServeRuntimeOptions> {
  const { bodyBytes, limits, signingKey, extendedAgent } = options;
  return {
    limits: { ...limits, ...(bodyBytes !== undefined && { bodyBytes }) },
    ...(signingKey !== undefined && { signingKey }),
    ...(extendedAgent !== undefined && { extendedAgent: async () => extendedAgent() }),
  };
}
