import type { ReplyContent } from '../results/reply-text.ts';
import type { EventLog } from './event-log.ts';

/** What an agent answered to a call. */
export interface Reply {
  readonly content: ReplyContent;
  /** Whether the agent streams, as far as its card says. */
  readonly streaming: boolean | undefined;
  /** The events that led to it, where the call followed them. */
  readonly log?: EventLog | undefined;
}
