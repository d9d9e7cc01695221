import { join } from 'node:path';
import {
  serveRuntime,
  startRuntime,
  type Limits,
  type Log,
  type RetentionOptions,
  type Runtime,
  type RuntimeOptions,
  type ServedAgent,
  type ServeRuntimeOptions,
} from '@holdword/runtime';
import { assertSafeBind, endLeftBehind, isAgentOptionsError } from '@holdword/runtime/internal';
import { createReadiness } from '@holdword/runtime/internal/observe';
import type { Store } from '@holdword/store';
import type { Config } from '../config/config-schema.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import type { Announcement } from './announcement.ts';
import { addKeyAdvice, addKeyCommand } from './add-key-advice.ts';
import { chooseAuthentication } from './choose-authentication.ts';
import { startEmbeddedHub, type EmbeddedHub } from './embedded-hub.ts';
import { loadAgent } from './load-agent.ts';
import { openStore } from './open-store.ts';
import { pushOptions } from './push-options.ts';
import { readSigningKey } from './read-signing-key.ts';
import { startObservation, type Observation } from './start-observation.ts';
import {
  dataFolder,
  describeLocation,
  isOnLocalDisk,
  storeLocation,
  type StoreLocation,
} from './store-location.ts';
import { withoutUndefined } from './without-undefined.ts';

const DEFAULT_PORT = 4310;
/** How long responses may still be written after the last turn has ended. */
const LAST_RESPONSES_MILLISECONDS = 1000;

export interface RunningServer {
  readonly announcement: Announcement;
  readonly runtime: Pick<Runtime, 'activity'>;
  stop(graceMilliseconds: number): Promise<void>;
}

/**
 * Starts the configured store, agent and listeners. If a step fails, everything that was started before it is stopped
 * again.
 */
export async function startServer(config: Config, workingFolder: string, log: Log): Promise<RunningServer> {
  const agent = await loadAgent(config);
  const location = storeLocation(config, workingFolder);
  const undo: (() => Promise<void>)[] = [];
  try {
    const store = await openStore(location, log);
    undo.unshift(() => store.close());
    const observation = await startObservation(config, location, log);
    undo.unshift(() => observation.close());
    const { metrics } = observation;
    const hub = config.hub === true ? await startEmbeddedHub(config, observation.observer) : undefined;
    undo.unshift(async () => hub?.close());
    const observer = hub?.observer ?? observation.observer;
    const processFolder = join(dataFolder(config, workingFolder), 'processes');
    // Even if they belong to another agent than the one that is served now.
    await endLeftBehind({ folder: processFolder, log });
    const opened = await agent.open({ processFolder, sessions: store, log, store });
    const executor = hub?.executor(opened.executor) ?? opened.executor;
    const closeExecutor = async (): Promise<void> => executor.close?.();
    undo.unshift(closeExecutor);
    const { leaseSeconds } = config;
    const lease = leaseSeconds === undefined ? {} : { leaseMilliseconds: leaseSeconds * 1000 };
    const runtime = await startRuntime({
      ...runtimeLimits(config, hub?.forget(store)),
      ...lease,
      store,
      executor,
      log,
      observer,
      push: await pushOptions(config),
    });
    // Stopping the runtime closes the agent.
    undo.splice(undo.indexOf(closeExecutor), 1, () => runtime.stop({ graceMilliseconds: 0 }));
    const authentication = await chooseAuthentication(config, store, log);
    if (config.host !== undefined) {
      assertSafeBind(config.host, authentication, addKeyAdvice(config, workingFolder));
    }
    const served = await serveRuntime({
      ...(await serveOptions(config)),
      runtime: {
        operations: runtime.operations,
        agent: { ...runtime.agent, ...cardTexts(config) },
        ...(runtime.pushKeys && { pushKeys: runtime.pushKeys }),
      },
      authentication,
      log,
      observer,
      ...(hub && { fallback: hub.open({ store, operations: runtime.operations, authentication, log }) }),
      readiness: createReadiness({
        ...lease,
        store,
        health: () => runtime.health,
        log,
        ...(isOnLocalDisk(location) && { folder: location.folder }),
        ...(config.minimumFreeBytes !== undefined && { minimumFreeBytes: config.minimumFreeBytes }),
      }),
      ...(metrics && { metrics: { source: metrics, public: config.metrics?.public ?? false } }),
    });
    metrics?.watch({
      activity: () => runtime.activity,
      openStreams: () => served.openStreams,
      push: () => runtime.pushHealth(),
      store,
      ...(hub && { hub: () => hub.calls() }),
    });
    return {
      announcement: {
        ...describe(served, location, Object.keys(authentication.securitySchemes).length > 0),
        ...(config.publicUrl !== undefined && { publicUrl: config.publicUrl }),
        sampleText: (config.agent ?? 'demo') === 'demo' ? 'echo hello' : 'hello',
        addKeyCommand: addKeyCommand(config, workingFolder),
        ...(agent.name !== undefined && {
          agent: opened.transport === undefined ? agent.name : `${agent.name} (via ${opened.transport})`,
        }),
        ...(hub && { hub: hub.addresses }),
      },
      runtime,
      stop: (graceMilliseconds) => stop({ hub, runtime, served, observation, store }, graceMilliseconds),
    };
  } catch (error) {
    for (const step of undo) await step();
    throw explainedStart(error);
  }
}

/** Invalid options are the user's to correct; everything else is a failure. */
function explainedStart(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UsageError) return error;
  return isAgentOptionsError(error)
    ? new UsageError(error.message, { cause: error })
    : new CommandError(error.message, { cause: error });
}

async function serveOptions(config: Config): Promise<Omit<ServeRuntimeOptions, 'runtime'>> {
  const { host, port = DEFAULT_PORT, publicUrl, publicGrpcAddress, limits, card } = config;
  const nextPort = port === 0 || port === 65_535 ? 0 : port + 1;
  return {
    port,
    grpcPort: config.grpcPort ?? nextPort,
    ...(host !== undefined && { host }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(publicGrpcAddress !== undefined && { publicGrpcAddress }),
    ...(limits && { limits: serveLimits(limits) }),
    ...(card?.signingKeyFile !== undefined && { signingKey: await readSigningKey(card.signingKeyFile) }),
  };
}

/** Stops turns first: callers and streams learn how they ended while their connections are still open. */
async function stop(
  parts: {
    hub: EmbeddedHub | undefined;
    runtime: Runtime;
    served: ServedAgent;
    observation: Observation;
    store: Store;
  },
  graceMilliseconds: number,
): Promise<void> {
  const { hub, runtime, served, observation, store } = parts;
  await runtime.stop({ graceMilliseconds });
  await hub?.close();
  await served.close({ graceMilliseconds: LAST_RESPONSES_MILLISECONDS });
  await observation.close();
  await store.close();
}

/** The limits that the engine enforces. */
function runtimeLimits(
  { limits, retention }: Config,
  alsoForget: RetentionOptions['alsoForget'],
): Partial<RuntimeOptions> {
  const { concurrentTurns, queuedTurns, eventBytes } = limits ?? {};
  return {
    ...(retention && { retention: withoutUndefined({ ...retention, alsoForget }) }),
    ...(concurrentTurns !== undefined && { maxConcurrentTurns: concurrentTurns }),
    ...(queuedTurns !== undefined && { maxQueuedTurns: queuedTurns }),
    ...(eventBytes !== undefined && { maxEventBytes: eventBytes }),
  };
}

/** The limits that the server enforces. */
function serveLimits(limits: NonNullable<Config['limits']>): Limits {
  const { concurrentTurns: _turns, queuedTurns: _queue, eventBytes: _event, ...kept } = limits;
  return withoutUndefined(kept);
}

function cardTexts({ card }: Config): { name?: string; description?: string } {
  return {
    ...(card?.name !== undefined && { name: card.name }),
    ...(card?.description !== undefined && { description: card.description }),
  };
}

function describe(
  served: ServedAgent,
  location: StoreLocation,
  authenticated: boolean,
): Omit<Announcement, 'addKeyCommand' | 'sampleText'> {
  return {
    agentName: served.card.name,
    cardUrl: served.cardUrl,
    jsonRpcUrl: served.jsonRpcUrl,
    restUrl: served.restUrl,
    ...(served.grpcAddress !== undefined && { grpcAddress: served.grpcAddress }),
    data: describeLocation(location),
    authenticated,
  };
}
