import type { AgentCard } from '@holdword/protocol';
import type { Authentication, Executor, FallbackHandler, Log, Observer, Operations } from '@holdword/runtime';
import { noopLog } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import { discoveryPart } from './discovery/discovery-part.ts';
import { instrumentMethod, ReliabilityStats } from './discovery/reliability-stats.ts';
import { handedOverField } from './handoff/fence.ts';
import { handoffPart } from './handoff/handoff-part.ts';
import { Handoffs } from './handoff/handoffs.ts';
import { heartbeatsPart } from './heartbeats/heartbeat-bundle.ts';
import { Heartbeats } from './heartbeats/heartbeats.ts';
import { watchPart } from './heartbeats/watch-agents.ts';
import type { HubContext, HubPart } from './hub-part.ts';
import { DEFAULT_HUB_SETTINGS, type HubSettings } from './hub-settings.ts';
import { agentsRegister } from './identity/agents-register.ts';
import { AgentLimits } from './identity/agent-limits.ts';
import { Identities } from './identity/identities.ts';
import { agentsPart } from './operate/agent-methods.ts';
import { directoryPart } from './operate/directory-routes.ts';
import { HubDirectory } from './operate/hub-directory.ts';
import { mcpPart } from './mcp/mcp-part.ts';
import { messageSend } from './messages/message-send.ts';
import { requireDriver, tasksCancel, tasksGet } from './messages/task-methods.ts';
import { checkParameters } from './serve/check-parameters.ts';
import { createActionRecorder, createRejectionRecorder } from './serve/http-exchange.ts';
import { createHubHandler } from './serve/hub-handler.ts';
import { Sessions } from './sessions/sessions.ts';
import { fleetPart } from './status/fleet-status.ts';
import { sessionStatusRoute } from './status/session-status.ts';
import { hubLinks, type HubLinks } from './wire/hub-links.ts';
import type { HubMethod, HubMount, HubRoute } from './wire/hub-method.ts';

/** Options of {@link createHub}. */
export interface HubOptions {
  /** The store of the runtime that answers messages. The hub keeps its records in the same store. */
  store: Store;
  /** The A2A operations of the runtime that answers messages. */
  operations: Operations;
  /** Public base URL of the hub, without a trailing slash. */
  baseUrl: string;
  /**
   * Identifies callers. Agents belong to the caller that registered them; a caller with the role `operator` can rotate the
   * token of any agent.
   */
  authentication: Authentication;
  /** The card of the agent that answers messages, also served at the hub's card aliases. Without it, they are not served. */
  card?: AgentCard;
  /**
   * Collects the statistics of `/api/v1/reliability`. Pass its `observer` to the runtime to include turns and commits.
   * @default `new ReliabilityStats()`, without turns and commits
   */
  stats?: ReliabilityStats;
  /** Notified of A2A requests and of every rejected request. */
  observer?: Observer;
  /**
   * Settings that differ from the defaults.
   * @default `DEFAULT_HUB_SETTINGS`
   */
  settings?: Partial<HubSettings>;
  /**
   * An agent, such as a model, that writes hand-off packets. What it writes is checked against the journal; without it, and
   * whenever its answer is unusable, the packets are written by rules alone. The hub does not close it.
   */
  packetAgent?: Executor;
  /**
   * Version of the serving program, shown to clients.
   * @default '0.0.0'
   */
  version?: string;
  /** Receives log entries. Without it, nothing is logged. */
  log?: Log;
  /**
   * Current time in milliseconds since the epoch.
   * @default Date.now
   */
  now?: () => number;
}

/** A hub that is mounted on the server of an agent. */
export interface Hub {
  /**
   * The JSON-RPC methods at `/v1/a2a`.
   * @internal
   */
  readonly methods: readonly HubMethod[];
  /**
   * The REST routes.
   * @internal
   */
  readonly routes: readonly HubRoute[];
  /**
   * The endpoints that speak a protocol other than JSON-RPC and REST, such as MCP.
   * @internal
   */
  readonly mounts: readonly HubMount[];
  /** The public URLs of the hub. */
  readonly links: HubLinks;
  /** HTTP handler for the hub's paths. Pass it to `serveRuntime` as `fallback`. */
  readonly handle: FallbackHandler;
  /** Stops background jobs and ends open streams. */
  close(): Promise<void>;
}

/** Creates the parts of the hub; each contributes methods, routes and answer fields. */
function createParts(context: HubContext, heartbeats: Heartbeats): HubPart[] {
  const handoffs = { context, handoffs: new Handoffs(context.store, context.now) };
  return [
    {
      methods: [agentsRegister(context, (agent) => handedOverField(handoffs, agent))],
      routes: [sessionStatusRoute(context)],
    },
    handoffPart(handoffs),
    heartbeatsPart(handoffs, heartbeats),
    watchPart(heartbeats, handoffs),
    fleetPart({ ...handoffs, heartbeats }),
    agentsPart({ ...handoffs, heartbeats, identities: context.identities }),
    directoryPart(new HubDirectory({ ...context, handoffs: handoffs.handoffs, heartbeats })),
  ];
}

/**
 * Creates a hub on the runtime of an agent: identities, sessions, heartbeats and task hand-off between agents, over
 * JSON-RPC at `/v1/a2a`, MCP at `/v1/mcp`, and REST.
 *
 * @example
 * ```ts
 * import { createHub, createResponder } from '@holdword/hub';
 * import { noAuthentication, openMemoryStore, serveRuntime, startRuntime } from '@holdword/runtime';
 *
 * const store = openMemoryStore();
 * const runtime = await startRuntime({ store, executor: createResponder({ store }) });
 * const authentication = noAuthentication();
 * const served = await serveRuntime({
 *   runtime,
 *   authentication,
 *   fallback: ({ url, card }) =>
 *     createHub({ store, operations: runtime.operations, baseUrl: url, card, authentication }).handle,
 * });
 * console.log(`Hub at ${served.url}/v1/a2a`);
 * ```
 *
 * @throws Error if two parts of the hub claim the same method or route.
 */
export function createHub(options: HubOptions): Hub {
  const { store, operations, authentication, observer = {}, log = noopLog, now = Date.now } = options;
  const isOpen = Object.keys(authentication.securitySchemes).length === 0;
  const settings = { ...DEFAULT_HUB_SETTINGS, openRegistration: isOpen, ...options.settings };
  const stats = options.stats ?? new ReliabilityStats(now);
  const sessions = new Sessions(store, settings, now);
  const heartbeats = new Heartbeats(store, now, settings);
  const context: HubContext = {
    store,
    operations,
    identities: new Identities(store, sessions, (agentId) => heartbeats.seen(agentId)),
    sessions,
    baseUrl: options.baseUrl,
    links: hubLinks(options.baseUrl),
    version: options.version ?? '0.0.0',
    settings,
    now,
    log,
    packetWriter: options.packetAgent && {
      executor: options.packetAgent,
      timeoutSeconds: settings.packetSeconds,
      log,
    },
    recordRejection: createRejectionRecorder(observer),
    recordAction: createActionRecorder(observer),
    limits: new AgentLimits(settings),
    count: (what, label) => stats.count(what, label),
  };
  const closing = new AbortController();
  const added = [...createParts(context, heartbeats), mcpPart(context, () => methods)];
  const messages: HubPart = {
    methods: [messageSend(context, added), tasksGet(context, added), tasksCancel(context, added)],
  };
  const discovery = discoveryPart(context, {
    discoverable: () => ({ methods, routes, mounts, tools: added.flatMap((part) => part.tools ?? []) }),
    stats,
    card: options.card,
  });
  const parts = [...added, messages, discovery];
  const methods: readonly HubMethod[] = parts
    .flatMap((part) => part.methods ?? [])
    .map((method) => instrumentMethod(checkParameters(method), stats));
  const routes: readonly HubRoute[] = parts.flatMap((part) => part.routes ?? []);
  const mounts: readonly HubMount[] = parts.flatMap((part) => part.mounts ?? []);
  rejectDuplicates(methods.map(({ name }) => name));
  rejectDuplicates([
    ...routes.map(({ verb, path }) => `${verb} ${path}`),
    ...mounts.flatMap(({ verbs, path }) => verbs.map((verb) => `${verb} ${path}`)),
  ]);
  return {
    methods,
    routes,
    mounts,
    links: context.links,
    handle: createHubHandler({
      context,
      authentication,
      methods,
      routes,
      mounts,
      requireDriver: (taskId, agentId) => requireDriver(added, taskId, agentId),
      observer,
      signal: closing.signal,
    }),
    async close() {
      closing.abort();
      await Promise.all(parts.map(async (part) => part.close?.()));
    },
  };
}

function rejectDuplicates(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two parts of the hub define ${twice}; rename one of them.`);
}
