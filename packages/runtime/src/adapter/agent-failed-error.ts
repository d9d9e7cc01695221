import type { Task } from '@holdword/protocol';

/**
 * The agent failed, rejected the message or was canceled. The message says why; the task holds the output so far.
 *
 * @example
 * ```ts
 * const agent = await loadAgent({ adapter: 'exec:wc -w', asyncMode: false });
 * try {
 *   await agent.handle('How many words are these?');
 * } catch (error) {
 *   if (!(error instanceof AgentFailedError)) throw error;
 *   console.error(error.message, error.task.artifacts);
 * }
 * ```
 */
export class AgentFailedError extends Error {
  override readonly name = 'AgentFailedError';
  readonly code = 'agent-failed';
  /** The task as it ended. */
  readonly task: Task;

  constructor(task: Task) {
    const reason = task.status.message?.parts.map((part) => part.text ?? '').join(' ');
    super(reason || `The task ended with ${task.status.state}.`);
    this.task = task;
  }
}
