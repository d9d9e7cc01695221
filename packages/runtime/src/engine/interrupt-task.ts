import type { LiveTask } from './live-task.ts';

const INTERRUPTED =
  'Interrupted: the server was stopped before the agent had finished. Send the message again.';
const WILL_RESUME = 'The server was stopped. The agent resumes when it starts again.';

/**
 * Records that a task stopped with its server, unless it has an outcome or waits for its user: failed, or still working
 * if the executor can resume it after a restart (J7).
 */
export async function interruptTask(live: LiveTask, resumable: boolean): Promise<void> {
  if (live.writtenState !== 'TASK_STATE_WORKING' && live.writtenState !== 'TASK_STATE_SUBMITTED') return;
  live.writeStatus(
    resumable ? 'TASK_STATE_WORKING' : 'TASK_STATE_FAILED',
    { parts: [{ text: resumable ? WILL_RESUME : INTERRUPTED }] },
    { releaseLease: true, metadata: { reason: 'interrupted' } },
  );
  // If the task cannot be written now, recovery ends it later.
  await live.flushed().catch(() => {});
}
