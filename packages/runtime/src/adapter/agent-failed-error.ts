import type { Task } from '@holdword/protocol';

/** The agent failed, rejected the message or was canceled. The message says why; the task holds the output so far. */
export class AgentFailedError extends Error {
  override readonly name = 'AgentFailedError';
  readonly code = 'agent-failed';
  readonly task: Task;

  constructor(task: Task) {
    const reason = task.status.message?.parts.map((part) => part.text ?? '').join(' ');
    super(reason || `The task ended with ${task.status.state}.`);
    this.task = task;
  }
}
