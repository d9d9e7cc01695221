import { join } from 'node:path';
import {
  serveRuntime,
  startRuntime,
  type AgentDescription,
  type Authentication,
  type Executor,
  type Log,
  type Runtime,
  type ServedAgent,
  type ServeRuntimeOptions,
} from '@holdword/runtime';
import {
  assertSafeBind,
  endLeftBehind,
  isAgentOptionsError,
  isWildcard,
  type OpenedAgent,
} from '@holdword/runtime/internal';
import { ANY_ORIGIN } from '@holdword/runtime/internal/settings';
import { createReadiness, type ReadinessCondition } from '@holdword/runtime/internal/observe';
import { isStoreError, type Store } from '@holdword/store';
import { lockDataFolder } from '@holdword/store/internal';
import type { Config } from '../config/config-schema.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import type { Announcement } from './announcement.ts';
import { addKeyAdvice, chooseAuthentication } from './authentication.ts';
import { claimDatabase, type DatabaseClaim } from './claim-database.ts';
import { startEmbeddedConsole, type EmbeddedConsole } from './embedded-console.ts';
import { startEmbeddedHub, type EmbeddedHub } from './embedded-hub.ts';
import { startHosting, type HostingServer } from './host-agents.ts';
import { loadAgent, type AgentDependencies, type LoadedAgent } from './load-agent.ts';
import { describeLocation, isOnLocalDisk, openStore, storeLocation } from './open-store.ts';
import { retentionOptions, runtimeOptions, serveOptions } from './runtime-options.ts';
import { startObservation, type Observation } from './start-observation.ts';

/** The kind of agent that reads what the hub knows next to its conversation. */
const MODEL = 'openai';

/** What callers who have authenticated learn of the agent. */
function extendedDescription(
  agent: AgentDescription,
  { description, skills }: NonNullable<Config['card']['extended']>,
): AgentDescription {
  return {
    ...agent,
    description: description ?? agent.description,
    skills: [...(agent.skills ?? []), ...skills],
  };
}

/** How long responses may still be written after the last turn has ended. */
const LAST_RESPONSES_MILLISECONDS = 1000;

type FolderLock = Awaited<ReturnType<typeof lockDataFolder>>;

export interface RunningServer {
  readonly announcement: Announcement;
  readonly runtime: Pick<Runtime, 'activity'>;
  stop(graceMilliseconds: number): Promise<void>;
}

/** The agent that writes the packets of the hub, if one is configured. */
async function openPacketAgent(
  { hub, hubOptions: { packetAgent }, agentOptions }: Config,
  server: AgentDependencies,
): Promise<{ packetAgent?: Executor }> {
  if (!hub || packetAgent === undefined) return {};
  const agent = await loadAgent({ agent: packetAgent, agentOptions });
  const opened = await agent.open(server);
  await warnOfProblem(agent, opened, server.log);
  return { packetAgent: opened.executor };
}

/**
 * Starts the configured store, agent and listeners. If a step fails, everything that was started before it is stopped
 * again. `addKeyCommand` creates an API key where the server looks for it.
 */
export async function startServer(config: Config, addKeyCommand: string, log: Log): Promise<RunningServer> {
  const agent = await loadAgent(config);
  const location = storeLocation(config);
  const undo: (() => Promise<void>)[] = [];
  try {
    const store = await openStore(location, log);
    undo.unshift(() => store.close());
    const lock = location.kind === 'postgres' ? await lockOrWarn(config.data, log) : undefined;
    undo.unshift(async () => lock?.release());
    const observation = await startObservation(config, location, log);
    undo.unshift(() => observation.close());
    const { metrics } = observation;
    const hub = config.hub ? await startEmbeddedHub(config, observation.observer) : undefined;
    undo.unshift(async () => hub?.close());
    const view = startEmbeddedConsole(config, hub?.observer ?? observation.observer);
    undo.unshift(async () => view?.close());
    const observer = view?.observer ?? hub?.observer ?? observation.observer;
    const processFolder = join(config.data, 'processes');
    // Even if they belong to another agent than the one that is served now.
    await endLeftBehind({ folder: processFolder, log });
    const opened = await agent.open({ processFolder, sessions: store, log, store });
    await warnOfProblem(agent, opened, log);
    const packetAgent = await openPacketAgent(config, { processFolder, sessions: store, log, store });
    const isModel = agent.name === MODEL;
    const executor = hub?.executor(opened.executor, { store, isModel }) ?? opened.executor;
    const closeExecutor = async (): Promise<void> => executor.close?.();
    undo.unshift(closeExecutor);
    const limits = await runtimeOptions(config);
    const { name = executor.card?.name ?? '' } = config.card;
    const claim = await claimDatabase(store, name, config.leaseSeconds * 1_000);
    undo.unshift(() => claim.release());
    const hosting = config.hostAgents
      ? await startHosting(config, location, { records: store, log, observer })
      : undefined;
    undo.unshift(async () => hosting?.stop(0));
    const retention = retentionOptions(config, hub?.forget(store), hub?.retention(store));
    const runtime = await startRuntime({ ...limits, retention, store, executor, log, observer });
    // Stopping the runtime closes the agent.
    undo.splice(undo.indexOf(closeExecutor), 1, () => runtime.stop({ graceMilliseconds: 0 }));
    const authentication = await chooseAuthentication(config, store, log);
    await assertSafeBind(config.host, authentication, addKeyAdvice(config, addKeyCommand));
    const { description = runtime.agent.description, extended } = config.card;
    const described = { ...runtime.agent, name: name || runtime.agent.name, description };
    const serving = await serveOptions(config);
    const cors = config.cors.origins.length === 0 ? undefined : { ...config.cors, headers: hub?.headers };
    const served = await serveRuntime({
      ...serving,
      runtime: { ...runtime, agent: described },
      extendedAgent: extended && (async () => extendedDescription(described, extended)),
      authentication: hub?.authenticate(authentication) ?? authentication,
      extensions: hub?.extensions,
      catalog: hub?.catalog,
      cors,
      log,
      observer,
      grpcRoute: hosting?.grpcRoute,
      fallback: eitherOf(
        hosting?.open({ ...serving, authentication, cors }),
        view?.open({
          store,
          runtime,
          authentication,
          location,
          auditFile: observation.auditFile,
          openStreams: () => served.openStreams,
          log,
        }),
        hub?.open({ store, operations: runtime.operations, authentication, log, ...packetAgent }),
      ),
      readiness: createReadiness({
        store,
        health: () => runtime.health,
        log,
        leaseMilliseconds: limits.leaseMilliseconds,
        folder: isOnLocalDisk(location) ? location.folder : undefined,
        minimumFreeBytes: config.minimumFreeBytes,
        conditions: readinessConditions(opened, authentication),
      }),
      metrics: metrics && { source: metrics, public: config.metrics.public },
    });
    metrics?.watch({
      activity: () => runtime.activity,
      openStreams: () => served.openStreams,
      push: () => runtime.pushHealth(),
      store,
      ...(hub && { hub: hub.metrics(store) }),
    });
    warnOfAddress(config, served, log);
    warnOfPages(config, authentication, log);
    const via = opened.transport === undefined ? '' : ` (via ${opened.transport})`;
    return {
      announcement: {
        agentName: served.card.name,
        agent: agent.name && `${agent.name}${via}`,
        cardUrl: served.cardUrl,
        jsonRpcUrl: served.jsonRpcUrl,
        restUrl: served.restUrl,
        grpcAddress: served.grpcAddress,
        hub: hub?.addresses,
        console: await view?.address(),
        data: describeLocation(location),
        authenticated: Object.keys(authentication.securitySchemes).length > 0,
        publicUrl: config.publicUrl,
        sampleText: config.agent === 'demo' ? 'echo hello' : 'hello',
        addKeyCommand,
      },
      runtime,
      stop: (graceMilliseconds) =>
        stop({ view, hub, hosting, runtime, served, observation, claim, lock, store }, graceMilliseconds),
    };
  } catch (error) {
    for (const step of undo) await step();
    throw explainedStart(error);
  }
}

type Fallback = NonNullable<ServeRuntimeOptions['fallback']>;

/** The first of them whose path it is. */
function eitherOf(...fallbacks: (Fallback | undefined)[]): Fallback | undefined {
  const given = fallbacks.filter((fallback) => fallback !== undefined);
  if (given.length === 0) return undefined;
  return (agent) => {
    const handlers = given.map((fallback) => fallback(agent));
    return (...exchange) => handlers.some((handle) => handle(...exchange));
  };
}

/** A server whose agent cannot work starts anyway: the agent may be installed while it runs. */
async function warnOfProblem({ name }: LoadedAgent, opened: OpenedAgent, log: Log): Promise<void> {
  const problem = await opened.problem?.();
  if (problem !== undefined) log.warn(`Tasks will fail: ${problem}`, { agent: name });
}

/** A server on all addresses of its machine, as in a container, does not know the one that its callers use. */
function warnOfAddress({ host, publicUrl }: Config, { url }: ServedAgent, log: Log): void {
  if (publicUrl !== undefined || !isWildcard(host)) return;
  log.warn(
    `The agent card names ${url}, by the name of this machine. If callers use another address, set it with --public-url ` +
      'or HOLDWORD_PUBLIC_URL.',
  );
}

/** Without authentication, whoever can open a page in a browser on this machine can use the agent. */
function warnOfPages({ cors }: Config, { securitySchemes }: Authentication, log: Log): void {
  if (!cors.origins.includes(ANY_ORIGIN) || Object.keys(securitySchemes).length > 0) return;
  log.warn(
    'Every web page that is opened on this machine can use this agent. List the origins that may in cors.origins, ' +
      'or require a credential.',
  );
}

function readinessConditions(
  opened: OpenedAgent,
  authentication: Authentication,
): Record<string, ReadinessCondition> {
  const agent = opened.problem?.bind(opened);
  const callers = authentication.problem?.bind(authentication);
  return {
    ...(agent && { agent: { problem: agent, detail: 'the agent cannot work; the log says why' } }),
    ...(callers && {
      authentication: { problem: callers, detail: 'callers cannot be authenticated; the log says why' },
    }),
  };
}

/** Replicas share a database, but each has its own audit log and its own record of the programs that it has started. */
async function lockOrWarn(folder: string, log: Log): Promise<FolderLock | undefined> {
  try {
    return await lockDataFolder(folder);
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'in-use') throw error;
    log.warn('Another server uses the same data folder. Give each server its own with --data.', { folder });
    return undefined;
  }
}

/** Invalid options are the user's to correct; everything else is a failure. */
function explainedStart(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UsageError) return error;
  return isAgentOptionsError(error)
    ? new UsageError(error.message, { cause: error })
    : new CommandError(error.message, { cause: error });
}

/** Stops turns first: callers and streams learn how they ended while their connections are still open. */
async function stop(
  parts: {
    view: EmbeddedConsole | undefined;
    hub: EmbeddedHub | undefined;
    hosting: HostingServer | undefined;
    runtime: Runtime;
    served: ServedAgent;
    observation: Observation;
    claim: DatabaseClaim;
    /** Belongs to what is running: a lock that nothing refers to is garbage, and ends with it. */
    lock: FolderLock | undefined;
    store: Store;
  },
  graceMilliseconds: number,
): Promise<void> {
  const { view, hub, hosting, runtime, served, observation, claim, lock, store } = parts;
  await Promise.all([runtime.stop({ graceMilliseconds }), hosting?.stop(graceMilliseconds)]);
  await view?.close();
  await hub?.close();
  await served.close({ graceMilliseconds: LAST_RESPONSES_MILLISECONDS });
  await observation.close();
  await claim.release();
  lock?.release();
  await store.close();
}
