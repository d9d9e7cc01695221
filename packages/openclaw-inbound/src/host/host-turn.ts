import type { ToolAccess } from '../auth/caller.ts';
import type { SessionIdentity } from '../sessions/session-identity.ts';
import type { SavedFile } from './host.ts';

/** One message for an agent of the host, and where its events go. */
export interface HostTurn {
  readonly accountId: string;
  readonly agentId: string;
  readonly session: SessionIdentity;
  /** New for every turn: the host silently drops a message whose id it has seen. */
  readonly messageId: string;
  readonly text: string;
  /** What came with the text: data for the agent, never instructions. */
  readonly context: readonly TurnContext[];
  readonly files: readonly SavedFile[];
  readonly tools: ToolAccess;
  /** Ends the turn: the model's request and the tool that runs. */
  readonly signal: AbortSignal;
  /** Called in the order in which things happen. */
  onEvent(event: HostEvent): void;
}

export interface TurnContext {
  readonly label: string;
  readonly data: unknown;
}

/** What happens in a turn of the host. */
export type HostEvent =
  | { readonly kind: 'run-started' }
  | { readonly kind: 'assistant-message-started' }
  /** The whole text of the assistant message so far. */
  | { readonly kind: 'partial-text'; readonly text: string }
  | ToolEvent
  | ReplyEvent
  | ApprovalEvent
  | { readonly kind: 'outcome'; readonly outcome: 'completed' | 'failed' };

export interface ToolEvent {
  readonly kind: 'tool';
  readonly phase: 'start' | 'update' | 'result';
  readonly name: string;
  readonly callId: string;
  readonly text?: string;
  readonly isError?: boolean;
}

/** Something said to the caller. */
export interface ReplyEvent {
  readonly kind: 'reply';
  /** `block` is a part of an answer, `final` an answer, `tool` the summary of a tool's result. */
  readonly reply: 'block' | 'final' | 'tool';
  readonly text?: string;
  /** Paths and addresses of files. */
  readonly media: readonly string[];
  readonly isError: boolean;
}

/** A tool may run only after somebody has allowed it. */
export interface ApprovalEvent {
  readonly kind: 'approval';
  readonly phase: 'requested' | 'resolved';
  readonly approvalId: string;
  readonly tool?: string;
  readonly callId?: string;
  readonly title?: string;
  readonly command?: string;
  readonly reason?: string;
}

export type HostTurnEnd =
  | { readonly kind: 'ended' }
  /** The host did not let the message in. */
  | { readonly kind: 'refused'; readonly reason: string };
