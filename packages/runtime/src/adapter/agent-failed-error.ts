import type { Task } from '@holdword/protocol';

/** The agent did not do what it was asked to; its message says why, and the task what there is nevertheless. */
export class AgentFailedError extends Error {
  override readonly name = 'AgentFailedError';
  readonly code = 'agent-failed';
  readonly task: Task;

  constructor(task: Task) {
    const words = task.status.message?.parts.map((part) => part.text ?? '').join(' ');
    super(words || `The agent ended with ${task.status.state}.`);
    this.task = task;
  }
}
