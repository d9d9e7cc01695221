import type { HandleEntry } from '../handles/handle-entry.ts';
import type { Target } from '../targets/target.ts';

/** Where a request goes: an agent, and optionally a task or a conversation of that agent. */
export interface Destination {
  readonly target: Target;
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
  /** What earlier responses said about the task. */
  readonly known?: HandleEntry | undefined;
}
