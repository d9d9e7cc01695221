import { checkArgument, hasMethods, isObject } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import { z } from 'zod';
import { type AgentDescription, agentDescriptionSchema } from './agent-description.ts';
import { DEFAULT_GRACE_MILLISECONDS, DEFAULT_RUNTIME_OPTIONS } from './defaults.ts';
import { type Engine, startEngine } from './engine/engine.ts';
import type { RetentionOptions } from './engine/retention.ts';
import type { TurnGroup } from './engine/turn-queue.ts';
import type { Executor } from './executors/executor.ts';
import { omitRepeatedText } from './executors/omit-repeated-text.ts';
import type { Owner } from './owner.ts';
import { type Log, noopLog } from './log.ts';
import type { PushHealth, TurnActivity } from './observe/metrics.ts';
import { noopObserver, type Observer } from './observe/observer.ts';
import type { RuntimeHealth } from './observe/readiness.ts';
import { bindOperations } from './operations/bind-operations.ts';
import type { Operations } from './operations/operations.ts';
import type { PushOptions } from './push/push-outbox.ts';

/** What a runtime runs, and its limits. */
export interface RuntimeOptions {
  /** Where tasks are kept. The runtime does not close it. */
  store: Store;
  /** The agent. */
  executor: Executor;
  /** @default a logger that discards everything */
  log?: Log | undefined;
  /** Is told what happens, for metrics and audits. */
  observer?: Observer | undefined;
  /**
   * Concurrent turns; more wait in a queue.
   * @default 100
   */
  maxConcurrentTurns?: number | undefined;
  /**
   * Turns that may wait in the queue; one more is rejected as RESOURCE_EXHAUSTED.
   * @default 1000
   */
  maxQueuedTurns?: number | undefined;
  /**
   * How much of concurrent turns, of the queue and of concurrent push deliveries is kept for callers who use less than
   * one percent of it, so that one caller cannot keep others out; 0 for nothing.
   * @default 25
   */
  reservedPercent?: number | undefined;
  /**
   * Tasks that one authenticated caller may have in the store; a message that would create one more is rejected as
   * RESOURCE_EXHAUSTED. 0 for no limit.
   * @default 0
   */
  maxTasksPerCaller?: number | undefined;
  /**
   * Bytes that the tasks of one authenticated caller may take up in the store; beyond that, its messages are rejected as
   * RESOURCE_EXHAUSTED. Tasks that run are not stopped. 0 for no limit.
   * @default 0
   */
  maxStoredBytesPerCaller?: number | undefined;
  /** Assigns the turns of an owner to a group with its own limit, for example one per caller. */
  turnGroupOf?: ((owner: Owner) => TurnGroup | undefined) | undefined;
  /**
   * Attempts of a turn whose executor throws RetryableError.
   * @default 3
   */
  maxAttempts?: number | undefined;
  /**
   * The maximum size of one event that an agent writes; a larger one fails its task.
   * @default 16777216 (16 MiB)
   */
  maxEventBytes?: number | undefined;
  /**
   * The maximum size of all events of a task, in characters of their JSON; a task that would exceed it fails, and what was
   * written before is kept.
   * @default 134217728 (128 MiB)
   */
  maxTaskBytes?: number | undefined;
  /**
   * If several processes share a store: other processes take over the tasks of a process this long after its last
   * heartbeat.
   * @default 15000
   */
  leaseMilliseconds?: number | undefined;
  /**
   * Which ended tasks are removed.
   * @default none
   */
  retention?: RetentionOptions | undefined;
  /**
   * Whether events include their sequence number in metadata. SSE event IDs contain it in any case.
   * @default true
   */
  includeSequence?: boolean | undefined;
  /**
   * Whether the message with which an agent completes a task is left out if its text is that of an artifact: some clients show
   * both. If false, clients get what the agent wrote.
   * @default false
   */
  omitRepeatedText?: boolean | undefined;
  /**
   * Options of push notifications; false turns them off.
   * @default {}
   */
  push?: PushOptions | false | undefined;
}

/** A running agent: its operations, and how to stop it. */
export interface Runtime {
  readonly agent: AgentDescription;
  readonly operations: Operations;
  /** The name of this process, as other processes that share the store know it. */
  readonly processName: string;
  /** The number of turns that run and wait at the moment. */
  readonly activity: TurnActivity;
  /** What a readiness check needs to know. */
  readonly health: RuntimeHealth;
  /** The public keys (a JSON Web Key Set) that verify push notifications. Absent if these are off. */
  readonly pushKeys?: { readonly keys: readonly object[] };
  pushHealth(): PushHealth;
  /** Lets running turns finish within `graceMilliseconds`, then aborts them and records them as interrupted. */
  stop(options?: { graceMilliseconds?: number }): Promise<void>;
}

const count = z.int().min(0).optional();
const duration = z
  .custom<number>((value) => typeof value === 'number' && value > 0, 'expected a number above 0, or Infinity')
  .optional();
const pushOptions = z.looseObject({
  allowPrivate: z.array(z.string()).optional(),
  concurrency: z.int().min(1).optional(),
  targetsPerTask: z.int().min(1).optional(),
  targetsPerCaller: z.int().min(1).optional(),
  timeoutMilliseconds: duration,
  longestPauseMilliseconds: duration,
  deadLetterMilliseconds: duration,
});

/** What a program in JavaScript gets wrong most easily. */
const optionsSchema = z.looseObject({
  store: z.custom<Store>(
    (value) => hasMethods(value, 'onCommit'),
    'expected a store, such as await openSqliteStore({ folder })',
  ),
  executor: z.custom<Executor>(
    (value) => hasMethods(value, 'execute'),
    'expected an object with a method execute(turn, sink)',
  ),
  maxConcurrentTurns: count,
  maxQueuedTurns: count,
  reservedPercent: z.int().min(0).max(90).optional(),
  maxTasksPerCaller: count,
  maxStoredBytesPerCaller: count,
  maxAttempts: count,
  maxEventBytes: count,
  maxTaskBytes: count,
  leaseMilliseconds: count,
  omitRepeatedText: z.boolean().optional(),
  push: z
    .custom<PushOptions | false>(
      (value) => value === false || isObject(value),
      'expected an object of options, or false',
    )
    .optional(),
});

/** What these options contain. */
const contentsSchema = z.looseObject({
  executor: z.looseObject({ card: agentDescriptionSchema.optional() }),
  push: pushOptions.optional(),
});

const PUSH_OFF: PushHealth = {
  enabled: false,
  activeTargets: 0,
  failingTargets: 0,
  deadTargets: 0,
  longestFailureSeconds: 0,
  deliveredEvents: 0,
  failedAttempts: 0,
  runningDeliveries: 0,
  waitingDeliveries: 0,
};

/**
 * Runs an agent on a store. It does not listen on a port: pass the runtime to `serveRuntime`, or its `operations` to a
 * server.
 *
 * @throws TypeError if an option is not what it should be.
 * @example
 * ```ts
 * const runtime = await startRuntime({
 *   store: await openSqliteStore({ folder: '.holdword' }),
 *   executor: { execute: async (turn, sink) => sink.complete('Hello') },
 * });
 * ```
 */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  return (await startWithEngine(options)).runtime;
}

/** A runtime together with its engine, for those who move turns between processes. */
export async function startWithEngine(
  options: RuntimeOptions,
): Promise<{ runtime: Runtime; engine: Engine }> {
  checkArgument('startRuntime({ store, executor })', optionsSchema, options);
  checkArgument('startRuntime({ store, executor })', contentsSchema, {
    ...options,
    push: options.push || undefined,
  });
  const agent = options.executor.card ?? { name: 'Agent', description: 'An agent served by Holdword.' };
  const omits = options.omitRepeatedText ?? DEFAULT_RUNTIME_OPTIONS.omitRepeatedText;
  const engine = await startEngine({
    ...options,
    executor: omits ? omitRepeatedText(options.executor) : options.executor,
    log: options.log ?? noopLog,
    observer: options.observer ?? noopObserver,
    includeSequence: options.includeSequence ?? DEFAULT_RUNTIME_OPTIONS.includeSequence,
    maxConcurrentTurns: options.maxConcurrentTurns ?? DEFAULT_RUNTIME_OPTIONS.maxConcurrentTurns,
    maxQueuedTurns: options.maxQueuedTurns ?? DEFAULT_RUNTIME_OPTIONS.maxQueuedTurns,
    reservedPercent: options.reservedPercent ?? DEFAULT_RUNTIME_OPTIONS.reservedPercent,
    maxAttempts: options.maxAttempts ?? DEFAULT_RUNTIME_OPTIONS.maxAttempts,
    push: options.push === false ? undefined : (options.push ?? {}),
  });
  const runtime: Runtime = {
    agent,
    operations: bindOperations(engine, agent),
    processName: engine.holder,
    get activity() {
      return { ...engine.turns.activity, ...engine.turns.shares };
    },
    get health() {
      return {
        stopping: engine.turns.stopping,
        heartbeatAgeMilliseconds: engine.heartbeatAgeMilliseconds,
        commitFailure: engine.commitFailure?.message,
      };
    },
    ...(engine.push && { pushKeys: engine.push.keys.keySet }),
    pushHealth: () => engine.push?.health() ?? PUSH_OFF,
    stop: async ({ graceMilliseconds = DEFAULT_GRACE_MILLISECONDS } = {}) => {
      await engine.stop(graceMilliseconds);
      await options.executor.close?.();
    },
  };
  return { runtime, engine };
}
