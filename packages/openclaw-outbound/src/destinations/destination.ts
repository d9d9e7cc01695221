import type { HandleEntry } from '../handles/handle-entry.ts';
import type { Target } from '../targets/target.ts';

/** What a request is about: an agent, and perhaps a task or a conversation there. */
export interface Destination {
  readonly target: Target;
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
  /** What is known of the task from earlier answers. */
  readonly known?: HandleEntry | undefined;
}
