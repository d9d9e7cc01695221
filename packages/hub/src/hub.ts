import type { AgentCard } from '@holdword/protocol';
import type { Authentication, FallbackHandler, Log, Observer, Operations } from '@holdword/runtime';
import { noopLog } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import { hubLinks, type HubLinks } from './contracts/hub-links.ts';
import { describeMethods } from './contracts/method-catalogue.ts';
import { discoveryPart } from './discovery/discovery-part.ts';
import { ReliabilityStats } from './discovery/reliability/reliability-stats.ts';
import { instrumentMethod } from './discovery/reliability/instrument-method.ts';
import { fleetPart } from './fleet/fleet-part.ts';
import { createHandoffServices } from './handoff/handoff-services.ts';
import { handoffPart } from './handoff/handoff-part.ts';
import { heartbeatsPart } from './heartbeats/heartbeats-part.ts';
import { Heartbeats } from './heartbeats/heartbeats.ts';
import type { HubContext } from './hub-context.ts';
import type { HubMethod, HubPart, HubRoute } from './hub-part.ts';
import { DEFAULT_HUB_SETTINGS, type HubSettings } from './hub-settings.ts';
import { Identities } from './identity/identities.ts';
import { identityPart } from './identity/identity-part.ts';
import { mcpPart } from './mcp/mcp-part.ts';
import { messagesPart } from './messages/messages-part.ts';
import { createHubHandler } from './serve/hub-handler.ts';
import type { HubMount } from './serve/hub-mount.ts';
import { createRejectionRecorder } from './serve/record-rejection.ts';
import { methodsPart } from './serve/methods-part.ts';
import { Sessions } from './sessions/sessions.ts';
import { sessionsPart } from './sessions/sessions-part.ts';
import { watchPart } from './watch/watch-part.ts';

const UNKNOWN_VERSION = '0.0.0';

export interface HubOptions {
  /** The store of the runtime that answers. */
  store: Store;
  /** The A2A operations of the agent that answers. */
  operations: Operations;
  /** Where others reach the hub, without a slash at the end. */
  baseUrl: string;
  /** Who is the operator: whoever authenticates here may register and rotate for every agent. */
  authentication: Authentication;
  /** Of the agent that answers, shown where clients look for it. */
  card?: AgentCard;
  /** Counts what happens; its observer belongs to the runtime that answers. */
  stats?: ReliabilityStats;
  /** Is told of the A2A calls, and of all that are refused. */
  observer?: Observer;
  settings?: Partial<HubSettings>;
  /** Of the program that serves, told to clients. */
  version?: string;
  log?: Log;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

export interface Hub {
  readonly methods: readonly HubMethod[];
  readonly routes: readonly HubRoute[];
  readonly mounts: readonly HubMount[];
  readonly links: HubLinks;
  /** Answers at the hub's paths, for the server of an agent. */
  readonly handle: FallbackHandler;
  close(): Promise<void>;
}

/** What the hub knows, part by part; each adds its methods, its places and its fields. */
function createParts(context: HubContext): HubPart[] {
  const handoffs = createHandoffServices(context);
  const heartbeats = new Heartbeats(context.store, context.now);
  return [
    identityPart(context),
    sessionsPart(context),
    handoffPart(handoffs),
    heartbeatsPart(context, heartbeats),
    watchPart(heartbeats, handoffs),
    fleetPart({ context, heartbeats, handoffs }),
  ];
}

/** A hub on the runtime of an agent: identities, sessions and what the parts add, at `/v1/a2a` and beside it. */
export function createHub(options: HubOptions): Hub {
  const { store, operations, authentication, observer = {}, log = noopLog, now = Date.now } = options;
  const isOpen = Object.keys(authentication.securitySchemes).length === 0;
  const settings = { ...DEFAULT_HUB_SETTINGS, openRegistration: isOpen, ...options.settings };
  const sessions = new Sessions(store, settings, now);
  const context: HubContext = {
    store,
    operations,
    identities: new Identities(store, sessions),
    sessions,
    baseUrl: options.baseUrl,
    links: hubLinks(options.baseUrl),
    version: options.version ?? UNKNOWN_VERSION,
    settings,
    now,
    log,
    recordRejection: createRejectionRecorder(observer),
  };
  const closing = new AbortController();
  const stats = options.stats ?? new ReliabilityStats(now);
  const added = [...createParts(context), mcpPart(context, () => methods)];
  const known = [...added, messagesPart(context, added)];
  const discovery = discoveryPart(context, {
    methodsDocument: () => describeMethods(context, methods),
    discoverable: () => ({ methods, routes, mounts, tools: added.flatMap((part) => part.tools ?? []) }),
    stats,
    card: options.card,
  });
  const parts = [...known, methodsPart(context, known), discovery];
  const methods: readonly HubMethod[] = parts
    .flatMap((part) => part.methods ?? [])
    .map((method) => instrumentMethod(method, stats));
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
  if (twice !== undefined) throw new Error(`Two parts of the hub answer at ${twice}; one must be renamed.`);
}
