import type { AgentCard, AgentExtension, CardSigningKey } from '@holdword/protocol';
import { checkArgument, trimEndOf } from '@holdword/protocol/internal';
import { z } from 'zod';
import type { AgentDescription } from '../agent-description.ts';
import { DEFAULT_GRACE_MILLISECONDS, DEFAULT_HOST, DEFAULT_PORT } from '../defaults.ts';
import { type Log, noopLog } from '../log.ts';
import { watchOpenFiles } from '../observe/open-files.ts';
import { noopObserver, type Observer } from '../observe/observer.ts';
import type { Owner } from '../owner.ts';
import type { Runtime } from '../runtime.ts';
import { CARD_PATH, hostAndPort, JSON_RPC_PATH, reachableHost, REST_PATH } from './addresses.ts';
import { Admission } from './admission.ts';
import { aiCatalog, type CatalogEntry } from './ai-catalog.ts';
import { assertSafeBind, type Authentication, noAuthentication } from './auth/authentication.ts';
import { type CorsOptions, corsSchema } from './cors.ts';
import type { GrpcRoute, GrpcServer, GrpcServerOptions } from './grpc-server.ts';
import { createHttpHandler, type FallbackHandler, type HttpHandlerOptions } from './http-handler.ts';
import { listenHttp } from './http-server.ts';
import type { Limits } from './limits.ts';
import { buildServedCard } from './served-card.ts';

/** Where and how `serveRuntime` serves an agent. */
export interface ServeRuntimeOptions {
  /** The runtime to serve, from `startRuntime`. */
  runtime: Pick<Runtime, 'agent' | 'operations' | 'pushKeys'>;
  /**
   * The address to listen on.
   * @default '127.0.0.1'
   */
  host?: string | undefined;
  /**
   * The HTTP port; 0 picks a free one.
   * @default 4310
   */
  port?: number | undefined;
  /**
   * The gRPC port; 0 picks a free one.
   * @default 'off'
   */
  grpcPort?: number | 'off' | undefined;
  /** The public URL of the HTTP endpoints, if it differs from host and port: `https://agent.example/demo`. */
  publicUrl?: string | undefined;
  /** The public address of gRPC, if it differs from the host and the gRPC port: `agent.example:443`. */
  publicGrpcAddress?: string | undefined;
  /**
   * How callers authenticate. Without it, everyone on this machine may call, and only loopback addresses are allowed
   * for `host`.
   */
  authentication?: Authentication | undefined;
  /** Limits per caller and in total, in place of the defaults. */
  limits?: Limits | undefined;
  /**
   * Whether a client of A2A 0.3 that sends a message waits for the result if it does not set `blocking`, which 0.3 leaves to
   * the server. If false, it gets the task at once.
   * @default true
   */
  v03Blocking?: boolean | undefined;
  /**
   * Which web pages of other origins may call this server, its fallback included. Every page may read the card.
   * @default none
   */
  cors?: CorsOptions | undefined;
  /** @default a logger that discards everything */
  log?: Log | undefined;
  /** Is told of every request. */
  observer?: Observer | undefined;
  /** Serves `/readyz`. */
  readiness?: HttpHandlerOptions['readiness'] | undefined;
  /** Serves `/metrics`. */
  metrics?: HttpHandlerOptions['metrics'] | undefined;
  /** Signs the card. It is not signed without one. */
  signingKey?: CardSigningKey | undefined;
  /**
   * Handles requests whose path is not one of the agent's, on the same port. It is given the card and the public addresses.
   */
  fallback?: ((agent: Pick<ServedAgent, 'card' | 'url' | 'grpcAddress'>) => FallbackHandler) | undefined;
  /** Finds the agent of a gRPC request by its tenant, such as `HostedAgents.grpcRoute`. @default the agent of the runtime */
  grpcRoute?: GrpcRoute | undefined;
  /** Extensions for the card that depend on the public URL, such as `hubExtensions` of `@holdword/hub`. */
  extensions?: ((url: string) => readonly AgentExtension[]) | undefined;
  /**
   * What this server offers besides the agent, for its AI Catalog at `/.well-known/ai-catalog.json`, such as `hubCatalog` of
   * `@holdword/hub`.
   */
  catalog?: ((url: string) => readonly CatalogEntry[]) | undefined;
  /** The description of the agent for authenticated callers. Undefined while there is none. */
  extendedAgent?: ((owner: Owner) => Promise<AgentDescription | undefined>) | undefined;
}

/** An agent that is being served. */
export interface ServedAgent {
  readonly card: AgentCard;
  /** The public URL, without a path of A2A. */
  readonly url: string;
  readonly cardUrl: string;
  readonly jsonRpcUrl: string;
  readonly restUrl: string;
  /** The HTTP port, also if a free one was picked. */
  readonly port: number;
  /** Absent if gRPC is off. */
  readonly grpcAddress?: string;
  readonly grpcPort?: number;
  /** The number of open streams, on all bindings. */
  readonly openStreams: number;
  /**
   * Accepts no more requests, ends streams, lets requests in progress finish within the grace period, then closes them.
   * @default graceMilliseconds 5000
   */
  close(options?: { graceMilliseconds?: number }): Promise<void>;
}

const port = z.int().min(0).max(65_535);

/** Node would take a text for the path of a socket, and listen there. */
const optionsSchema = z.looseObject({
  runtime: z.custom<Runtime>(
    (value) => typeof (value as Runtime | undefined)?.operations === 'object',
    'expected a runtime, such as await startRuntime({ store, executor })',
  ),
  host: z.string().min(1).optional(),
  port: port.optional(),
  grpcPort: z.union([port, z.literal('off')], 'expected a port, or "off"').optional(),
  publicUrl: z
    .string()
    .refine((url) => URL.canParse(url), 'expected a URL')
    .optional(),
  v03Blocking: z.boolean().optional(),
  cors: corsSchema.optional(),
});

/**
 * Serves an agent over JSON-RPC and REST on one port, and over gRPC on another if asked.
 *
 * @example
 * ```ts
 * const executor: Executor = {
 *   card: { name: 'Greeter', description: 'Says hello.' },
 *   async execute(turn, sink) {
 *     await sink.complete('Hello.');
 *   },
 * };
 * const runtime = await startRuntime({ store: openMemoryStore(), executor });
 * const served = await serveRuntime({ runtime, port: 4310 });
 * console.log(served.cardUrl);
 * ```
 * @throws TypeError if an option is not what it should be.
 * @throws Error if the port is in use, or if `host` is not a loopback address and there is no authentication.
 */
export async function serveRuntime(options: ServeRuntimeOptions): Promise<ServedAgent> {
  checkArgument('serveRuntime({ runtime })', optionsSchema, options);
  const { host = DEFAULT_HOST, log = noopLog, observer = noopObserver } = options;
  const { agent, operations, pushKeys } = options.runtime;
  const publicUrl = options.publicUrl === undefined ? undefined : new URL(options.publicUrl);
  if (publicUrl?.username || publicUrl?.password)
    throw new TypeError(
      'serveRuntime({ runtime }): publicUrl: expected a URL without user and password, because the card is public.',
    );
  const authentication =
    options.authentication ?? noAuthentication({ allowedHosts: publicUrl ? [publicUrl.hostname] : [] });
  await assertSafeBind(host, authentication);

  const http = await listenHttp(host, options.port ?? DEFAULT_PORT, options.limits);
  const unwatchFiles = watchOpenFiles(log);
  const admission = new Admission(options.limits);
  const publicHost = publicUrl?.hostname ?? reachableHost(host);
  const url = (publicUrl && trimEndOf(publicUrl.href, '/')) ?? `http://${hostAndPort(publicHost, http.port)}`;

  const { extendedAgent, signingKey } = options;
  let grpcAddress: string | undefined;
  const buildCard = (described: AgentDescription): Promise<AgentCard> =>
    buildServedCard({
      agent: {
        ...described,
        extensions: [...(described.extensions ?? []), ...(options.extensions?.(url) ?? [])],
      },
      url,
      grpcAddress,
      authentication,
      hasExtendedCard: extendedAgent !== undefined,
      pushNotifications: pushKeys !== undefined,
      signingKey,
    });
  const extendedCard =
    extendedAgent &&
    (async (owner: Owner) => {
      const described = await extendedAgent(owner);
      return described && buildCard(described);
    });

  const stopping = new AbortController();
  let grpc: GrpcServer | undefined;
  let card: AgentCard;
  try {
    grpc = await startGrpc(options, {
      agent,
      host,
      operations,
      extendedCard,
      authentication,
      admission,
      log,
      observer,
    });
    grpcAddress = grpc && (options.publicGrpcAddress ?? hostAndPort(publicHost, grpc.port));
    card = await buildCard(agent);
    http.setHandler(
      createHttpHandler({
        operations,
        card,
        authentication,
        admission,
        log,
        observer,
        signal: stopping.signal,
        readiness: options.readiness,
        metrics: options.metrics,
        extendedCard,
        pushKeys,
        limits: options.limits,
        v03Blocking: options.v03Blocking,
        cors: options.cors,
        catalog: aiCatalog(card, url, options.catalog?.(url)),
        basePath: publicUrl?.pathname,
        fallback: options.fallback?.({ url, card, ...(grpcAddress !== undefined && { grpcAddress }) }),
      }),
    );
  } catch (error) {
    unwatchFiles();
    await Promise.all([http.close(0), grpc?.close(0)]);
    throw error;
  }

  return {
    card,
    url,
    cardUrl: `${url}${CARD_PATH}`,
    jsonRpcUrl: `${url}${JSON_RPC_PATH}`,
    restUrl: `${url}${REST_PATH}`,
    port: http.port,
    ...(grpc && grpcAddress !== undefined && { grpcAddress, grpcPort: grpc.port }),
    get openStreams() {
      return admission.openStreams;
    },
    async close({ graceMilliseconds = DEFAULT_GRACE_MILLISECONDS } = {}) {
      stopping.abort();
      unwatchFiles();
      await Promise.all([http.close(graceMilliseconds), grpc?.close(graceMilliseconds)]);
    },
  };
}

/** Loads gRPC only if it is served, because it is large. */
async function startGrpc(
  { grpcPort = 'off', grpcRoute, limits, v03Blocking }: ServeRuntimeOptions,
  shared: Omit<GrpcServerOptions, 'port' | 'limits' | 'v03Blocking'>,
): Promise<GrpcServer | undefined> {
  if (grpcPort === 'off') return undefined;
  const { startGrpcServer } = await import('./grpc-server.ts');
  return startGrpcServer({ ...shared, route: grpcRoute, port: grpcPort, limits, v03Blocking });
}
