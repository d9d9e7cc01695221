import type { LiveTask } from './live-task.ts';

const INTERRUPTED =
  'Interrupted: the server was stopped before the agent had finished. Send the message again.';
const WILL_RESUME = 'The server was stopped; the agent goes on when it is started again.';

/**
 * Journals that a task stopped with its server, unless it has an outcome or waits for its user: failed, or still working
 * where the executor can go on after a restart (J7).
 */
export async function interruptTask(live: LiveTask, resumable: boolean): Promise<void> {
  if (live.writtenState !== 'TASK_STATE_WORKING' && live.writtenState !== 'TASK_STATE_SUBMITTED') return;
  live.writeStatus(
    resumable ? 'TASK_STATE_WORKING' : 'TASK_STATE_FAILED',
    { parts: [{ text: resumable ? WILL_RESUME : INTERRUPTED }] },
    { releaseLease: true, metadata: { reason: 'interrupted' } },
  );
  // A task that cannot be written now is brought to its end by recovery.
  await live.flushed().catch(() => {});
}
