import type { Task } from '@holdword/protocol';
import type { Store, TaskHeader } from '@holdword/store';
import type { Executor } from '../executors/executor.ts';
import type { Log } from '../log.ts';
import type { Observer } from '../observe/observer.ts';
import type { PushOptions } from '../push/push-options.ts';
import { PushOutbox } from '../push/push-outbox.ts';
import type { RetentionOptions } from '../retention/retention-options.ts';
import { startRetention, type RetentionRun } from '../retention/start-retention.ts';
import { cancelTask } from './cancel-task.ts';
import { CommitHealth } from './commit-health.ts';
import { CommitHints } from './commit-hints.ts';
import { startHeartbeat } from './heartbeat.ts';
import { LiveTasks } from './live-tasks.ts';
import { newId } from './new-id.ts';
import { recoverOrphans } from './recovery.ts';
import { TaskReader } from './task-reader.ts';
import { Turns, type TurnsOptions } from './turns.ts';

export interface EngineOptions {
  store: Store;
  executor: Executor;
  log: Log;
  observer: Observer;
  includeSequence: boolean;
  maxConcurrentTurns: number;
  maxQueuedTurns: number;
  turnGroupOf?: NonNullable<TurnsOptions['turnGroupOf']>;
  maxAttempts: number;
  maxEventBytes?: number;
  /** Within this time of the last sign of a process, others go on with its tasks. 15 s unless given. */
  leaseMilliseconds?: number;
  retention?: RetentionOptions;
  /** Notifications are off without it. */
  push?: PushOptions;
}

const DEFAULT_LEASE_MILLISECONDS = 15_000;

/** The durable machine behind the operations: turns that write, readers that follow, and recovery. */
export interface Engine {
  readonly store: Store;
  /** Whether events carry their sequence number in metadata. */
  readonly includeSequence: boolean;
  readonly turns: Turns;
  readonly reader: TaskReader;
  /** Absent when notifications are off. */
  readonly push?: PushOutbox;
  /** When the store last took the sign that this process lives, in milliseconds since the epoch. */
  readonly lastHeartbeat: number;
  /** The store rejects commits at the moment. */
  readonly commitsFailing: boolean;
  cancel(header: TaskHeader): Promise<Task>;
  stop(graceMilliseconds: number): Promise<void>;
}

/** Starts the engine on a store. Tasks that an earlier process left behind are on their way when it resolves (J7). */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { store, executor, log, observer, includeSequence, maxEventBytes } = options;
  const { leaseMilliseconds = DEFAULT_LEASE_MILLISECONDS } = options;
  const holder = newId();
  const commitHealth = new CommitHealth(log);
  const liveTasks = new LiveTasks(
    {
      store,
      log,
      observer,
      commitHealth,
      includeSequence,
      ...(maxEventBytes !== undefined && { maxEventBytes }),
    },
    holder,
  );
  const hints = new CommitHints(store);
  const unsubscribe = store.onCommit((commits) => liveTasks.noticeCommits(commits));
  const reader = new TaskReader(store, liveTasks, hints);
  const turns = new Turns({ ...options, holder, liveTasks, reader });
  const recover = oneAtATime(async () => {
    await liveTasks.releaseLeftovers();
    await recoverOrphans({ store, executor, liveTasks, turns, log });
  });
  const heartbeat = await startHeartbeat({ store, holder, log, leaseMilliseconds, onBeat: recover });
  let push: PushOutbox | undefined;
  let retention: RetentionRun | undefined;
  try {
    push = options.push && (await PushOutbox.start(store, log, { holder, leaseMilliseconds }, options.push));
    await recover();
    if (options.retention !== undefined) {
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
  return {
    store,
    includeSequence,
    turns,
    reader,
    ...(push && { push }),
    get lastHeartbeat() {
      return heartbeat.lastBeat;
    },
    get commitsFailing() {
      return commitHealth.isFailing;
    },
    cancel: (header) => cancelTask({ liveTasks, turns, reader }, header),
    stop: async (graceMilliseconds) => {
      heartbeat.stop();
      await Promise.all([turns.stop(graceMilliseconds), retention?.stop()]);
      hints.close();
      unsubscribe();
      await push?.stop();
      await heartbeat.expire().catch((error: unknown) => {
        log.warn('The store was not told that this process stops; others wait for its leases to expire.', {
          error: String(error),
        });
      });
    },
  };
}

/** Who calls while the action runs waits for that run. Two recoveries side by side would run a task twice. */
function oneAtATime(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= action().finally(() => (running = undefined));
    return running;
  };
}
