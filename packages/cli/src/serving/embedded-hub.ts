import { readFile } from 'node:fs/promises';
import type { Hub, HubLinks, HubSettings } from '@holdword/hub';
import type {
  Authentication,
  Executor,
  Log,
  Observer,
  Runtime,
  ServeRuntimeOptions,
} from '@holdword/runtime';
import { observeWith } from '@holdword/runtime/internal';
import type { HubMetrics } from '@holdword/runtime/internal/observe';
import type { Store } from '@holdword/store';
import type { Config } from '../config/config-schema.ts';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { CommandError } from '../usage-error.ts';
import { version } from '../version.ts';

export interface EmbeddedHubOptions {
  readonly store: Store;
  readonly operations: Runtime['operations'];
  readonly authentication: Authentication;
  readonly log: Log;
  /** Writes hand-off packets; closed with the hub. */
  readonly packetAgent?: Executor;
}

/** A hub on the server of an agent. */
export interface EmbeddedHub {
  /** Observes the runtime for the hub, and forwards to the observer of the server. */
  readonly observer: Observer;
  /** For the metrics of the server. */
  metrics(store: Store): HubMetrics;
  /** Its endpoints; known once it is open. */
  readonly addresses: HubLinks | undefined;
  /** Wraps the agent so that its tasks can be handed over; a model also gets what the hub knows. */
  executor(agent: Executor, about: { readonly store: Store; readonly isModel: boolean }): Executor;
  /** Deletes the hub's data of a task; false while a successor needs it. */
  forget(store: Store): (taskId: string) => Promise<boolean>;
  /** Removes records of the hub that are over. */
  retention(store: Store): (signal: AbortSignal) => Promise<number>;
  /** For the A2A endpoints of the server: the hub's agents are sent to the hub. */
  authenticate(authentication: Authentication): Authentication;
  /** For the card: where the hub is. */
  readonly extensions: NonNullable<ServeRuntimeOptions['extensions']>;
  /** For the catalog of what the server offers: the hub's MCP server. */
  readonly catalog: NonNullable<ServeRuntimeOptions['catalog']>;
  /** The headers that web pages may send to it. */
  readonly headers: readonly string[];
  /** The hub starts when the server knows its address. */
  open(options: EmbeddedHubOptions): NonNullable<ServeRuntimeOptions['fallback']>;
  close(): Promise<void>;
}

/** The hub is imported on demand: a server without it starts faster. */
export async function startEmbeddedHub(
  config: Pick<Config, 'hubOptions'>,
  observer: Observer,
): Promise<EmbeddedHub> {
  const settings = await hubSettings(config);
  const {
    createHub,
    forgetHandoffs,
    forgetHubRecords,
    HUB_HEADERS,
    hubCatalog,
    hubExtensions,
    keepForSuccessor,
    ReliabilityStats,
    rejectAgentTokens,
  } = await import('@holdword/hub');
  const { createCensus, tellFacts } = await import('@holdword/hub/internal');
  const stats = new ReliabilityStats();
  const watching = observeWith([observer, stats.observer]);
  let hub: Hub | undefined;
  let packetAgent: Executor | undefined;
  return {
    observer: watching,
    metrics: (store) => ({
      calls: () => stats.calls(),
      claims: () => stats.countsOf('claim'),
      alarms: () => stats.countsOf('alarm'),
      census: createCensus(store),
    }),
    get addresses() {
      return hub?.links;
    },
    executor: (agent, { store, isModel }) => keepForSuccessor(isModel ? tellFacts(agent, { store }) : agent),
    forget: forgetHandoffs,
    retention: (store) => forgetHubRecords(store, settings),
    authenticate: rejectAgentTokens,
    extensions: hubExtensions,
    catalog: (url) => hubCatalog(url, version()),
    headers: HUB_HEADERS,
    open: (options) => (agent) => {
      packetAgent = options.packetAgent;
      hub = createHub({
        ...options,
        observer: watching,
        stats,
        baseUrl: agent.url,
        card: agent.card,
        version: version(),
        settings,
      });
      return hub.handle;
    },
    async close() {
      await hub?.close();
      await packetAgent?.close?.();
    },
  };
}

/** The settings of the hub from the configuration. What is not set there is left out, so that the hub decides. */
export async function hubSettings({ hubOptions }: Pick<Config, 'hubOptions'>): Promise<Partial<HubSettings>> {
  const { alarms, openRegistration, cadenceSeconds, packetAgent: _opened, ...settings } = hubOptions;
  return {
    ...settings,
    ...(openRegistration !== undefined && { openRegistration }),
    ...(cadenceSeconds !== undefined && { cadenceSeconds }),
    ...(alarms && {
      alarms: {
        url: alarms.url,
        ...(alarms.tokenFile !== undefined && { token: await readToken(alarms.tokenFile) }),
      },
    }),
  };
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new CommandError(
      `Cannot read the token file ${file} (hubOptions.alarms.tokenFile): ${whyUnreadable(error)}.`,
      {
        cause: error,
      },
    );
  }
}
