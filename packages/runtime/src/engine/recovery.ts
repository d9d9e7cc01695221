import type { Store, TaskHeader } from '@holdword/store';
import type { Executor } from '../executors/executor.ts';
import type { Log } from '../log.ts';
import type { LiveTasks } from './live-tasks.ts';
import { isHeldElsewhere } from './turn-errors.ts';
import type { Turns } from './turns.ts';

export interface RecoveryOptions {
  store: Store;
  executor: Executor;
  liveTasks: LiveTasks;
  turns: Turns;
  log: Log;
}

const PAGE = 200;
const WHAT_NOW =
  'How far it got is unknown. Check the artifacts, then send the message again with a new message ID.';
/** A process that cannot reach its store looks dead to the others. */
const INTERRUPTED = `Interrupted: the server stopped, or lost its store, while the agent was working. ${WHAT_NOW}`;
const GIVEN_UP = `Interrupted: the store of the server was unavailable, and what the agent wrote was given up. ${WHAT_NOW}`;

/**
 * Gives every task that a dead process left submitted or working a definite future (J7): a submitted one never started
 * and is run, a working one is resumed if the executor can do that, and otherwise fails with a reason.
 */
export async function recoverOrphans(options: RecoveryOptions): Promise<void> {
  const tried = new Set<string>();
  let left = 0;
  for (;;) {
    // Those that stay orphans come first each time, and must not hide the ones behind them.
    const page = await options.store.listOrphans(PAGE + left);
    const orphans = page.filter((orphan) => !tried.has(orphan.taskId));
    if (orphans.length === 0) return;
    for (const orphan of orphans) {
      if (options.turns.stopping) return;
      tried.add(orphan.taskId);
      if (!(await isRecovered(orphan, options))) left += 1;
    }
  }
}

async function isRecovered(orphan: TaskHeader, options: RecoveryOptions): Promise<boolean> {
  const { taskId } = orphan;
  // A task that this process holds is not an orphan, whatever the store's clock says.
  if (options.liveTasks.find(taskId) !== undefined) return false;
  try {
    await recover(orphan, options);
    return true;
  } catch (error) {
    if (isHeldElsewhere(error)) return true;
    options.log.error('Could not recover an orphaned task.', { taskId, error: String(error) });
    return false;
  }
}

async function recover(orphan: TaskHeader, options: RecoveryOptions): Promise<void> {
  const { executor, liveTasks, turns, log } = options;
  const begun = orphan.state === 'TASK_STATE_WORKING';
  const isGivenUp = liveTasks.forgetGivenUp(orphan.taskId);
  if (!begun || executor.resume !== undefined) {
    log.info(begun ? 'Resuming a task.' : 'Running a queued task.', { taskId: orphan.taskId });
    await turns.restart(orphan, { resumed: begun });
    return;
  }
  const live = await liveTasks.open(orphan);
  try {
    // Another process was faster.
    if (live.writtenState !== orphan.state) return;
    live.writeStatus(
      'TASK_STATE_FAILED',
      { parts: [{ text: isGivenUp ? GIVEN_UP : INTERRUPTED }] },
      { releaseLease: true, metadata: { reason: 'interrupted' } },
    );
    await live.flushed();
    log.warn(
      isGivenUp
        ? 'A task failed because the store did not take what its agent wrote.'
        : 'A task failed because its process ended, or lost the store, while the agent was working.',
      { taskId: orphan.taskId },
    );
  } finally {
    liveTasks.close(live);
  }
}
