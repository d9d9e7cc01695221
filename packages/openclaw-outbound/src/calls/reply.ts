import type { ReplyContent } from '../results/reply-text.ts';
import type { EventLog } from './event-log.ts';

/** An agent's response to a call. */
export interface Reply {
  readonly content: ReplyContent;
  /** Whether the agent's card declares streaming. */
  readonly streaming: boolean | undefined;
  /** The events received, if the call followed updates. */
  readonly log?: EventLog | undefined;
}
