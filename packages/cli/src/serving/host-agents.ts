import { join } from 'node:path';
import type { FallbackHandler, Log, Observer, ServedAgent, ServeRuntimeOptions } from '@holdword/runtime';
import { hostAgents, type HostedAgents } from '@holdword/runtime/connect';
import type { Store } from '@holdword/store';
import type { Config } from '../config/config-schema.ts';
import { openStore, type StoreLocation } from './open-store.ts';
import { retentionOptions, runtimeOptions } from './runtime-options.ts';

/** The agents that connect to this server, with a store of their own. */
export interface HostingServer {
  /** Serves their callers and their workers. */
  open(
    options: Pick<ServeRuntimeOptions, 'limits' | 'v03Blocking' | 'cors' | 'signingKey'> & {
      authentication: NonNullable<ServeRuntimeOptions['authentication']>;
    },
  ): (agent: Pick<ServedAgent, 'url' | 'grpcAddress'>) => FallbackHandler;
  readonly grpcRoute: HostedAgents['grpcRoute'];
  stop(graceMilliseconds: number): Promise<void>;
}

/**
 * Their tasks are apart from those of the server's own agent: after a crash, an agent must not be given the tasks of another.
 * `records` is the store of the server, where commands add agents.
 */
export async function startHosting(
  config: Config,
  location: StoreLocation,
  { records, log, observer }: { records: Store; log: Log; observer: Observer },
): Promise<HostingServer> {
  const store = await openStore(agentsLocation(location), log);
  let agents: HostedAgents;
  try {
    const { maxConcurrentTurns: _, ...options } = await runtimeOptions(config);
    agents = await hostAgents({
      ...options,
      retention: retentionOptions(config, undefined),
      store,
      records,
      log,
      observer,
      workerLeaseMilliseconds: config.hostedAgents.workerLeaseSeconds * 1000,
      waitMilliseconds: config.hostedAgents.waitSeconds * 1000,
    });
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    open:
      (options) =>
      ({ url, grpcAddress }) =>
        agents.mount({ ...options, url, grpcAddress }),
    grpcRoute: agents.grpcRoute,
    async stop(graceMilliseconds) {
      await agents.stop({ graceMilliseconds });
      await store.close();
    },
  };
}

function agentsLocation(location: StoreLocation): StoreLocation {
  if (location.kind === 'memory') return location;
  const folder = join(location.folder, 'agents');
  return location.kind === 'postgres'
    ? { ...location, folder, schema: `${location.schema}_agents` }
    : { ...location, folder };
}
