import { A2AError, type AgentCard, type CardSigningKey } from '@holdword/protocol';
import { shorten } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import { DEFAULT_LIMITS, DEFAULT_WAIT_MILLISECONDS, DEFAULT_WORKER_LEASE_MILLISECONDS } from '../defaults.ts';
import { errorReason, type Log, noopLog } from '../log.ts';
import { noopObserver, type Observer } from '../observe/observer.ts';
import type { Operation, Operations, RequestContext } from '../operations/operations.ts';
import { type Runtime, type RuntimeOptions, startWithEngine } from '../runtime.ts';
import { CARD_PATH } from '../serve/addresses.ts';
import { Admission } from '../serve/admission.ts';
import type { Authentication, Caller } from '../serve/auth/authentication.ts';
import type { CorsOptions } from '../serve/cors.ts';
import type { GrpcAgent, GrpcRoute } from '../serve/grpc-server.ts';
import { createHttpHandler, type FallbackHandler, type HttpHandler } from '../serve/http-handler.ts';
import type { Limits } from '../serve/limits.ts';
import { buildServedCard, withExtendedCard } from '../serve/served-card.ts';
import { ServedExtensions } from '../serve/service-parameters.ts';
import { type AgentRecords, type ConnectedAgent, findConnectedAgent } from './connected-agents.ts';
import { agentIn, ConnectHost, ownerAt, WAIT_METADATA } from './connect-host.ts';
import { ConnectRoutes } from './connect-routes.ts';

/** Where and how `hostAgents` serves agents that connect. */
export interface HostAgentsOptions extends Omit<RuntimeOptions, 'store' | 'executor'> {
  /** Where the tasks of all agents are kept. No other runtime may use it. */
  store: Store;
  /** Where agents and the hashes of their tokens are kept; may be another store. */
  records: AgentRecords;
  /** How long a worker may be silent before its turns are taken from it. @default 30000 */
  workerLeaseMilliseconds?: number | undefined;
  /** How long a task waits for a worker. @default 86400000 (a day) */
  waitMilliseconds?: number | undefined;
}

/** How the server that the agents are mounted on is reached. */
export interface HostedAgentsServer {
  /** The public URL, without a trailing slash. */
  url: string;
  /** Where the server serves gRPC with `grpcRoute`, for the cards. */
  grpcAddress?: string | undefined;
  /** How callers authenticate. */
  authentication: Authentication;
  limits?: Limits | undefined;
  v03Blocking?: boolean | undefined;
  cors?: CorsOptions | undefined;
  signingKey?: CardSigningKey | undefined;
}

/** The agents of a host. */
export interface HostedAgents {
  readonly runtime: Runtime;
  /** Serves `/agents/NAME/…` to callers and `/connect/v1/…` to workers. */
  mount(server: HostedAgentsServer): FallbackHandler;
  /** Finds the agent of a gRPC request: one named NAME has the tenant `agents/NAME`. Agents have to be mounted. */
  readonly grpcRoute: GrpcRoute;
  stop(options?: { graceMilliseconds?: number }): Promise<void>;
}

/** Turns that wait for a worker take a slot of the runtime, and how many run is up to the workers. */
const MOST_TURNS = 10_000;
/** An agent that is away for long must not take the slots of the others. */
const MOST_TURNS_OF_AGENT = 1_000;

const AGENTS_PATH = '/agents/';
/** Of the tenants of gRPC requests. */
const TENANT_PREFIX = 'agents/';
/** A change by a command is seen this much later at most. */
const FRESH_MILLISECONDS = 1_000;

/**
 * Serves agents that have no address: workers connect to this host and pull their turns.
 *
 * @example
 * ```ts
 * const store = await openSqliteStore({ folder: '.holdword/agents' });
 * const agents = await hostAgents({ store, records: store });
 * ```
 */
export async function hostAgents(options: HostAgentsOptions): Promise<HostedAgents> {
  const { store, records, log = noopLog, observer = noopObserver } = options;
  const mounts = new Set<Mount>();
  const host = new ConnectHost({
    store,
    log,
    leaseMilliseconds: options.workerLeaseMilliseconds ?? DEFAULT_WORKER_LEASE_MILLISECONDS,
    waitMilliseconds: options.waitMilliseconds ?? DEFAULT_WAIT_MILLISECONDS,
    onPresence: (agent) => mounts.forEach((mount) => mount.refresh(agent)),
  });
  const { runtime, engine } = await startWithEngine({
    ...options,
    maxConcurrentTurns: options.maxConcurrentTurns ?? MOST_TURNS,
    turnGroupOf: ({ tenant }) => ({ name: agentIn(tenant), maxRunning: MOST_TURNS_OF_AGENT }),
    store,
    executor: host,
  });
  host.share(engine);
  const stopping = new AbortController();
  return {
    runtime,
    mount(server) {
      const limits = { ...DEFAULT_LIMITS, ...server.limits };
      const urlOf = (agent: string): string => `${server.url}${AGENTS_PATH}${agent}`;
      const mount = new Mount({
        ...server,
        urlOf,
        limits,
        records,
        host,
        runtime,
        log,
        observer,
        signal: stopping.signal,
      });
      mounts.add(mount);
      host.serve();
      const routes = new ConnectRoutes({
        host,
        records,
        urlOf,
        log,
        observer,
        ...limits,
        maxEventBytes: options.maxEventBytes,
        onDescribed: (agent) => mounts.forEach((each) => each.refresh(agent.name)),
        signal: stopping.signal,
      });
      return (path, query, request, response) =>
        routes.handle(path, query, request, response) || mount.handle(path, query, request, response);
    },
    async grpcRoute(tenant) {
      const [mount] = mounts;
      return mount?.grpcAgent(tenant);
    },
    async stop(stop) {
      stopping.abort();
      await runtime.stop(stop);
    },
  };
}

interface MountOptions extends HostedAgentsServer {
  readonly urlOf: (agent: string) => string;
  readonly limits: Required<Limits>;
  readonly records: AgentRecords;
  readonly host: ConnectHost;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly observer: Observer;
  readonly signal: AbortSignal;
}

/** An agent as it is served. */
interface ServedEntry {
  agent: ConnectedAgent;
  readonly operations: Operations;
  card: AgentCard;
  readonly handler: HttpHandler;
  readAt: number;
}

/** The agents below `/agents/`, each with its own card and its own callers. */
class Mount {
  readonly #options: MountOptions;
  readonly #admission: Admission;
  readonly #entries = new Map<string, ServedEntry>();

  constructor(options: MountOptions) {
    this.#options = options;
    this.#admission = new Admission(options.limits);
  }

  readonly handle: FallbackHandler = (path, _query, request, response) => {
    if (!path.startsWith(AGENTS_PATH)) return false;
    const [name = '', ...rest] = path.slice(AGENTS_PATH.length).split('/');
    // The URL of an agent is enough to call it: it answers with the card.
    if (rest.join('') === '' && request.method === 'GET')
      request.url = `${new URL(this.#options.urlOf(name)).pathname}${CARD_PATH}`;
    this.#serve(name).then(
      (handler) => handler(request, response),
      (error: unknown) => {
        this.#options.log.error('A connected agent could not be served.', {
          agent: name,
          error: errorReason(error),
        });
        response.writeHead(500).end();
      },
    );
    return true;
  };

  /** What an agent says about itself, or whether it is online, has changed. */
  refresh(name: string): void {
    const entry = this.#entries.get(name);
    if (entry !== undefined) entry.readAt = -Infinity;
  }

  /** The agent of a tenant `agents/NAME`, or `agents/NAME/TENANT` for a caller that names its own tenant there. */
  async grpcAgent(tenant: string): Promise<GrpcAgent | undefined> {
    if (!tenant.startsWith(TENANT_PREFIX)) return undefined;
    const [name = '', ...rest] = tenant.slice(TENANT_PREFIX.length).split('/');
    const entry = await this.#entryNamed(name);
    if (entry === undefined)
      throw new A2AError(
        'INVALID_PARAMS',
        `This host has no agent named "${shorten(name, 80)}". The card of an agent names its tenant.`,
      );
    return {
      target: {
        operations: withExtendedCard(entry.operations, undefined),
        admission: this.#admission,
        extensions: new ServedExtensions(entry.agent.card?.extensions),
      },
      tenant: rest.join('/'),
      requireCaller: (caller) => requireCaller(entry.agent, caller),
    };
  }

  async #serve(name: string): Promise<HttpHandler> {
    return (await this.#entryNamed(name))?.handler ?? notFound;
  }

  async #entryNamed(name: string): Promise<ServedEntry | undefined> {
    const known = this.#entries.get(name);
    if (known !== undefined && performance.now() - known.readAt < FRESH_MILLISECONDS) return known;
    const agent = await findConnectedAgent(this.#options.records, name);
    if (agent === undefined) {
      this.#entries.delete(name);
      return undefined;
    }
    const card = await this.#cardOf(agent);
    const entry = this.#entries.get(name) ?? this.#entryOf(agent, card);
    entry.agent = agent;
    entry.card = card;
    entry.readAt = performance.now();
    this.#entries.set(name, entry);
    return entry;
  }

  #entryOf(agent: ConnectedAgent, card: AgentCard): ServedEntry {
    const { runtime, limits, v03Blocking, cors, log, observer, signal, urlOf } = this.#options;
    const { name } = agent;
    const operations = operationsOf(name, runtime.operations);
    const entry: ServedEntry = {
      agent,
      operations,
      card,
      readAt: 0,
      handler: createHttpHandler({
        operations,
        card,
        cardFor: () => entry.card,
        authentication: onlyCallersOf(() => entry.agent, this.#options.authentication),
        admission: this.#admission,
        pushKeys: runtime.pushKeys,
        limits,
        v03Blocking,
        cors,
        log,
        observer,
        signal,
        basePath: new URL(urlOf(name)).pathname,
      }),
    };
    return entry;
  }

  #cardOf({ name, card = { name, description: 'An agent that has not connected yet.' } }: ConnectedAgent) {
    const { host, authentication, runtime, urlOf, grpcAddress, signingKey } = this.#options;
    const { workers } = host.pool(name);
    const since = Math.max(...workers.map((worker) => worker.since));
    return buildServedCard({
      agent: {
        ...card,
        extensions: [
          ...(card.extensions ?? []),
          {
            uri: WAIT_METADATA,
            description: 'This agent connects to its host. While it is offline, tasks wait for it.',
            required: false,
            params: {
              online: workers.length > 0,
              workers: workers.length,
              ...(workers.length > 0 && { since: new Date(since).toISOString() }),
            },
          },
        ],
      },
      url: urlOf(name),
      grpcAddress,
      grpcTenant: `${TENANT_PREFIX}${name}`,
      authentication,
      hasExtendedCard: false,
      pushNotifications: runtime.pushKeys !== undefined,
      signingKey,
    });
  }
}

const notFound: HttpHandler = (_request, response) => {
  response.writeHead(404, { 'Content-Type': 'application/json' });
  response.end(
    '{"error":{"code":404,"status":"NOT_FOUND","message":"This host has no agent of that name."}}',
  );
};

/** The operations on the tasks of one agent. */
function operationsOf(agent: string, operations: Operations): Operations {
  const scoped = Object.entries(operations).map(([name, run]) => {
    const operation = run as Operation<'getTask'>;
    const within: Operation<'getTask'> = (request, context) =>
      operation(request, new AgentContext(agent, context));
    return [name, within];
  });
  return Object.fromEntries(scoped) as Operations;
}

/** A request to one agent of the host. Its signal is read on first use, as in the context that it came with. */
class AgentContext implements RequestContext {
  readonly owner: RequestContext['owner'];
  readonly version: RequestContext['version'];
  readonly extensions: RequestContext['extensions'];
  readonly idempotencyKey: RequestContext['idempotencyKey'];
  readonly resumeAfter: RequestContext['resumeAfter'];
  readonly trace: RequestContext['trace'];
  readonly readsPieces: RequestContext['readsPieces'];
  readonly mayContinue: RequestContext['mayContinue'];
  readonly #context: RequestContext;

  constructor(agent: string, context: RequestContext) {
    this.owner = ownerAt(agent, context.owner);
    this.version = context.version;
    this.extensions = context.extensions;
    this.idempotencyKey = context.idempotencyKey;
    this.resumeAfter = context.resumeAfter;
    this.trace = context.trace;
    this.readsPieces = context.readsPieces;
    this.mayContinue = context.mayContinue;
    this.#context = context;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  onTask(taskId: string): void {
    this.#context.onTask?.(taskId);
  }
}

/** The authentication of the host, for the callers that the agent accepts. */
function onlyCallersOf(agent: () => ConnectedAgent, authentication: Authentication): Authentication {
  const { securitySchemes, isOptional, challenge } = authentication;
  return {
    securitySchemes,
    ...(isOptional !== undefined && { isOptional }),
    challenge,
    async authenticate(headers) {
      const caller = await authentication.authenticate(headers);
      if (caller !== undefined) requireCaller(agent(), caller);
      return caller;
    },
  };
}

function requireCaller({ callers, name }: ConnectedAgent, caller: Caller): void {
  if (callers === undefined || callers.some((each) => isNamed(caller, each))) return;
  throw new A2AError('PERMISSION_DENIED', `This credential is not one of those that may call agent ${name}.`);
}

function isNamed({ id }: Caller, name: string): boolean {
  return id === name || id === `key:${name}`;
}
