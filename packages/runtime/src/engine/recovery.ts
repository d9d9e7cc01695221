import { backoffDelay } from '@holdword/protocol/internal';
import { isStoreError, type Store, type TaskHeader } from '@holdword/store';
import type { Executor } from '../executors/executor.ts';
import type { Log } from '../log.ts';
import type { Observer } from '../observe/observer.ts';
import { endTask } from './end-task.ts';
import type { LiveTasks } from './live-tasks.ts';
import { isHeldElsewhere } from './turn-errors.ts';
import type { Turns } from './turns.ts';

export interface RecoveryOptions {
  store: Store;
  /** This process, as the store identifies it. */
  holder: string;
  executor: Executor;
  liveTasks: LiveTasks;
  turns: Turns;
  log: Log;
  observer?: Observer | undefined;
  includeSequence: boolean;
  /** What the recoveries of one engine remember. */
  failures: RecoveryFailures;
}

const PAGE = 200;
/** Their leases share commits, so that a server with thousands of tasks that wait starts in seconds. */
const AT_ONCE = 20;
const WHAT_NOW =
  'How far it got is unknown. Check the artifacts, then send the message again with a new message ID.';
/** A process that cannot reach its store looks dead to the others. */
const INTERRUPTED = `Interrupted: the server stopped, or lost its store, while the agent was working. ${WHAT_NOW}`;
const GIVEN_UP = `Interrupted: the store of the server was unavailable, and what the agent wrote was given up. ${WHAT_NOW}`;

const UNREADABLE =
  'The task could not be continued: its events cannot be read. The reason is in the server log. Send the message again with a ' +
  'new message ID.';
/** After this many failures in a row, the task is failed instead. */
const MOST_FAILURES = 3;

/**
 * Gives every task that a dead process left submitted or working a definite future (J7): a submitted one never started
 * and is run, a working one is resumed if the executor can do that, and otherwise fails with a reason. One that cannot be
 * read fails too, after a few attempts that are ever longer apart: it must not take the server from the others.
 */
export async function recoverOrphans(options: RecoveryOptions): Promise<void> {
  const tried = new Set<string>();
  let left = 0;
  for (;;) {
    // Those that stay orphans come first each time, and must not hide the ones behind them.
    const page = await options.store.listOrphans(PAGE + left);
    const orphans = page.filter((orphan) => !tried.has(orphan.taskId));
    if (orphans.length === 0) return;
    for (let from = 0; from < orphans.length; from += AT_ONCE) {
      if (options.turns.stopping) return;
      // Oldest first: turns are queued in the order in which their recovery begins.
      const some = orphans.slice(from, from + AT_ONCE);
      for (const { taskId } of some) tried.add(taskId);
      const recovered = await Promise.all(some.map((orphan) => isRecovered(orphan, options)));
      left += recovered.filter((isDone) => !isDone).length;
    }
  }
}

async function isRecovered(orphan: TaskHeader, options: RecoveryOptions): Promise<boolean> {
  const { taskId } = orphan;
  const { liveTasks, failures, log } = options;
  // A task that this process holds is not an orphan, whatever the store's clock says.
  if (liveTasks.find(taskId) !== undefined || failures.isPaused(taskId)) return false;
  try {
    await (failures.count(taskId) < MOST_FAILURES
      ? recover(orphan, options)
      : failUnreadable(orphan, options));
    failures.forget(taskId);
    return true;
  } catch (error) {
    if (isHeldElsewhere(error)) return true;
    const reason = String(error);
    if (failures.add(taskId, reason, { isSick: !isUnavailable(error) })) {
      log.error(
        'Could not recover an orphaned task. It is retried at growing intervals; `holdword tasks delete` removes it.',
        { taskId, error: reason },
      );
    }
    return false;
  }
}

/** The store is the problem, not the task. */
function isUnavailable(error: unknown): boolean {
  return isStoreError(error) && (error.code === 'unavailable' || error.code === 'closed');
}

async function failUnreadable(orphan: TaskHeader, options: RecoveryOptions): Promise<void> {
  const { taskId } = orphan;
  const end = { state: 'TASK_STATE_FAILED', text: UNREADABLE, metadata: { reason: 'unreadable' } } as const;
  if (await endTask(options, orphan, end)) {
    options.log.error('A task failed because it cannot be read.', { taskId });
  }
}

async function recover(orphan: TaskHeader, options: RecoveryOptions): Promise<void> {
  const { executor, liveTasks, turns, log } = options;
  const begun = orphan.state === 'TASK_STATE_WORKING';
  const isGivenUp = liveTasks.isGivenUp(orphan.taskId);
  if (!begun || executor.resume !== undefined) {
    log.info(begun ? 'Resuming a task.' : 'Running a queued task.', { taskId: orphan.taskId });
    await turns.restart(orphan, { resumed: begun });
    liveTasks.forgetGivenUp(orphan.taskId);
    return;
  }
  const end = {
    state: 'TASK_STATE_FAILED',
    text: isGivenUp ? GIVEN_UP : INTERRUPTED,
    metadata: { reason: 'interrupted' },
    isTakeover: true,
  } as const;
  // False if another process was faster.
  const isEnded = await endTask(options, orphan, end);
  liveTasks.forgetGivenUp(orphan.taskId);
  if (!isEnded) return;
  log.warn(
    isGivenUp
      ? 'A task failed because the store did not take what its agent wrote.'
      : 'A task failed because its process ended, or lost the store, while the agent was working.',
    { taskId: orphan.taskId },
  );
}

const PAUSES = { firstMilliseconds: 1_000, longestMilliseconds: 10 * 60_000 };
const MOST_REMEMBERED = 10_000;

/** The orphans that could not be recovered, and when each is tried again. */
export class RecoveryFailures {
  readonly #failures = new Map<string, { count: number; reason: string; until: number }>();

  count(taskId: string): number {
    return this.#failures.get(taskId)?.count ?? 0;
  }

  isPaused(taskId: string): boolean {
    return (this.#failures.get(taskId)?.until ?? 0) > performance.now();
  }

  /** Returns whether the reason is new. Only failures of a sick task count, and make it wait. */
  add(taskId: string, reason: string, { isSick }: { isSick: boolean }): boolean {
    const known = this.#failures.get(taskId);
    const count = (known?.count ?? 0) + (isSick ? 1 : 0);
    const until = isSick ? performance.now() + backoffDelay(count - 1, PAUSES) : 0;
    const [oldest] = this.#failures.keys();
    if (known === undefined && oldest !== undefined && this.#failures.size >= MOST_REMEMBERED)
      this.forget(oldest);
    this.#failures.set(taskId, { count, reason, until });
    return known?.reason !== reason;
  }

  forget(taskId: string): void {
    this.#failures.delete(taskId);
  }
}
