import { A2AError, isTerminal, type Task } from '@holdword/protocol';
import { withTimeout } from '@holdword/protocol/internal';
import { StoreError, type Store, type TaskHeader } from '@holdword/store';
import { DEFAULT_RUNTIME_OPTIONS } from '../defaults.ts';
import type { Executor } from '../executors/executor.ts';
import type { Log } from '../log.ts';
import type { Observer } from '../observe/observer.ts';
import { type PushOptions, PushOutbox } from '../push/push-outbox.ts';
import { CallerQuota } from './caller-quota.ts';
import { CommitHints } from './commit-hints.ts';
import { endTask } from './end-task.ts';
import type { TaskCreation } from './journal-writer.ts';
import { LiveTasks } from './live-tasks.ts';
import { processName } from '../ids-and-times.ts';
import { RecoveryFailures, recoverOrphans } from './recovery.ts';
import { hasLimits, type RetentionOptions, type RetentionRun, startRetention } from './retention.ts';
import { CommitHealth, startHeartbeat } from './store-health.ts';
import { DELETED, startDeletions } from './task-deletions.ts';
import type { TaskFold } from './task-fold.ts';
import { TaskReader } from './task-reader.ts';
import { serverStopping } from './turn-errors.ts';
import { type StartedTurn, Turns, type TurnsOptions } from './turns.ts';

export interface EngineOptions {
  store: Store;
  executor: Executor;
  log: Log;
  observer: Observer;
  includeSequence: boolean;
  maxConcurrentTurns: number;
  maxQueuedTurns: number;
  reservedPercent: number;
  maxTasksPerCaller?: number | undefined;
  maxStoredBytesPerCaller?: number | undefined;
  turnGroupOf?: TurnsOptions['turnGroupOf'];
  maxAttempts: number;
  maxEventBytes?: number | undefined;
  maxTaskBytes?: number | undefined;
  /** Other processes take over the tasks of a process this long after its last heartbeat. */
  leaseMilliseconds?: number | undefined;
  retention?: RetentionOptions | undefined;
  /** Push notifications are off without it. */
  push?: PushOptions | undefined;
}

/** The durable engine behind the operations: turns that write, readers that follow, and recovery. */
export interface Engine {
  readonly store: Store;
  /** This process, as the store identifies it. */
  readonly holder: string;
  /** Whether events include their sequence number in metadata. */
  readonly includeSequence: boolean;
  readonly turns: Turns;
  readonly reader: TaskReader;
  /** Undefined if callers may store any amount. */
  readonly quota: CallerQuota | undefined;
  /** Undefined when push notifications are off. */
  readonly push: PushOutbox | undefined;
  /** Time since the store last accepted a heartbeat of this process. */
  readonly heartbeatAgeMilliseconds: number;
  /** Why the store currently rejects commits, if it does. */
  readonly commitFailure: StoreError | undefined;
  /** Why the store did not accept the latest heartbeat, so that other writes are not worth waiting for. */
  readonly storeFailure: unknown;
  /** Is told of errors of requests: data that is damaged is reported to the operator once. */
  noticeDamage(error: unknown): void;
  /** Creates a task that waits for its user, without a turn. Rejects with IdempotencyKeyTaken if the key is already in use. */
  hold(task: Task, creation: Pick<TaskCreation, 'owner' | 'idempotency'>): Promise<StartedTurn>;
  cancel(header: TaskHeader): Promise<{ task: Task; sequence: number }>;
  stop(graceMilliseconds: number): Promise<void>;
}

/** A store that does not respond must not keep the process beyond its grace period. */
const STORE_PATIENCE_MILLISECONDS = 1_000;

/** Starts the engine on a store. When it resolves, tasks that an earlier process left behind are running again (J7). */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { store, executor, log, observer, includeSequence, maxEventBytes, maxTaskBytes } = options;
  const { leaseMilliseconds = DEFAULT_RUNTIME_OPTIONS.leaseMilliseconds } = options;
  const { maxTasksPerCaller: maxTasks = 0, maxStoredBytesPerCaller: maxBytes = 0 } = options;
  const holder = processName();
  const commitHealth = new CommitHealth(log);
  const liveTasks = new LiveTasks(
    { store, log, observer, commitHealth, includeSequence, maxEventBytes, maxTaskBytes },
    holder,
  );
  const hints = new CommitHints(store);
  const unsubscribe = store.onCommit((commits) => liveTasks.noticeCommits(commits));
  const reader = new TaskReader(store, liveTasks, hints);
  const turns = new Turns({ ...options, holder, liveTasks, reader });
  const failures = new RecoveryFailures();
  const recover = oneAtATime(async () => {
    await liveTasks.releaseLeftovers();
    await recoverOrphans({
      store,
      holder,
      executor,
      liveTasks,
      turns,
      log,
      observer,
      includeSequence,
      failures,
    });
  });
  const heartbeat = await startHeartbeat({ store, holder, log, leaseMilliseconds, onBeat: recover });
  let push: PushOutbox | undefined;
  let retention: RetentionRun | undefined;
  try {
    const { reservedPercent } = options;
    const life = { holder, leaseMilliseconds };
    push = options.push && (await PushOutbox.start(store, log, life, { reservedPercent, ...options.push }));
    await recover();
    if (options.retention !== undefined && hasLimits(options.retention)) {
      const isLive = (taskId: string): boolean => liveTasks.find(taskId) !== undefined;
      retention = startRetention(store, log, options.retention, isLive);
    }
  } catch (error) {
    await push?.stop();
    heartbeat.stop();
    hints.close();
    unsubscribe();
    throw error;
  }
  const deletions = startDeletions({
    store,
    log,
    observer,
    alsoForget: options.retention?.alsoForget,
    isInUse: (taskId) => hints.isWatched(taskId) || liveTasks.find(taskId) !== undefined,
    cancel: async (header) => {
      if (liveTasks.find(header.taskId) !== undefined) {
        await cancelTask({ liveTasks, turns, reader }, header, DELETED.text);
        return;
      }
      // It runs in another process or nowhere, and need not be readable.
      await endTask({ store, holder, observer, includeSequence, force: true }, header, DELETED);
      turns.cancel(header.taskId);
    },
  });
  return {
    store,
    holder,
    includeSequence,
    turns,
    reader,
    push,
    quota: maxTasks + maxBytes > 0 ? new CallerQuota(store, { maxTasks, maxBytes }) : undefined,
    get heartbeatAgeMilliseconds() {
      return heartbeat.ageMilliseconds;
    },
    get commitFailure() {
      return commitHealth.failure;
    },
    noticeDamage: (error) => commitHealth.noticeDamage(error),
    get storeFailure() {
      return heartbeat.failure;
    },
    hold: async (task, creation) => {
      if (turns.stopping) throw serverStopping();
      const live = liveTasks.begin(task.id, { ...creation, contextId: task.contextId });
      try {
        live.writeCreated(task, { releaseLease: true });
        await live.flushed();
        return { live };
      } finally {
        liveTasks.close(live);
      }
    },
    cancel: (header) => cancelTask({ liveTasks, turns, reader }, header),
    stop: async (graceMilliseconds) => {
      heartbeat.stop();
      const cleanedUp = Promise.all([retention?.stop(), deletions.stop()]);
      await turns.stop(graceMilliseconds);
      await withTimeout(cleanedUp, STORE_PATIENCE_MILLISECONDS).catch(() => {});
      hints.close();
      unsubscribe();
      await push?.stop();
      if (heartbeat.failure !== undefined) return;
      await withTimeout(heartbeat.expire(), STORE_PATIENCE_MILLISECONDS).catch((error: unknown) => {
        log.warn(
          'Could not expire the heartbeat. Other processes take over the tasks of this one when the lease time has passed.',
          {
            error: String(error),
          },
        );
      });
    },
  };
}

/** A call during a run waits for that run. Two recoveries at the same time would run a task twice. */
function oneAtATime(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= action().finally(() => (running = undefined));
    return running;
  };
}

/**
 * Cancels a task, whether it runs here or in another process, is queued, or waits for its user. The state is committed
 * first and wins over anything the agent says afterwards (J6); a process that runs the task loses it, and notices that
 * way. Canceling a canceled task again changes nothing. The text tells the task's readers why.
 */
export async function cancelTask(
  { liveTasks, turns, reader }: { liveTasks: LiveTasks; turns: Turns; reader: TaskReader },
  header: TaskHeader,
  text?: string,
): Promise<{ task: Task; sequence: number }> {
  if (isTerminal(header.state)) {
    const ended = await reader.current(header.taskId, undefined, header.lastSequence);
    if (ended === undefined) throw new StoreError('unknown-task', `Task ${header.taskId} was deleted.`);
    if (ended.task.status.state === 'TASK_STATE_CANCELED') return ended;
    throw notCancelable(header.taskId, header.state);
  }
  const live = await liveTasks.open(header, { force: true });
  try {
    const content = text === undefined ? undefined : { parts: [{ text }] };
    if (live.writeStatus('TASK_STATE_CANCELED', content, { releaseLease: true })) turns.cancel(live.taskId);
    await live.flushed();
    const state = live.writtenState;
    if (state !== 'TASK_STATE_CANCELED') throw notCancelable(live.taskId, state ?? 'unknown');
    const committed = live.committed as TaskFold;
    return { task: reader.view(committed), sequence: committed.sequence };
  } finally {
    liveTasks.close(live);
  }
}

function notCancelable(taskId: string, state: string): A2AError {
  return new A2AError(
    'TASK_NOT_CANCELABLE',
    `Task ${taskId} has ended (${state}) and can no longer be canceled.`,
  );
}
