import type { HostApproval } from '../approvals/approval-router.ts';
import type { AgentChoice, ToolAccess } from '../auth/caller.ts';
import type { SessionIdentity } from '../sessions/session-identity.ts';
import type { SavedFile } from './host.ts';

/** One message for a host agent, and the receiver of its events. */
export interface HostTurn {
  readonly agent: AgentChoice;
  readonly session: SessionIdentity;
  /** The caller's context id; only for looking up agents. */
  readonly contextId: string;
  /** The sender name shown to the agent. */
  readonly senderName: string;
  /** Unique per turn: the host silently drops a message with a known id. */
  readonly messageId: string;
  readonly text: string;
  /** Attached data for the agent, never instructions. */
  readonly context: readonly TurnContext[];
  readonly files: readonly SavedFile[];
  readonly tools: ToolAccess;
  /** Whether tool approvals go to the caller; otherwise they go to the gateway's operator. */
  readonly asksCaller: boolean;
  /** The agents that the message has passed through, if the caller says so. */
  readonly route?: unknown;
  /** Aborts the turn: the model request and the running tool. */
  readonly signal: AbortSignal;
  /** Called in order. */
  onEvent(event: HostEvent): void;
  /** Resolves when all events so far are on disk; immediately if the turn has no reader. */
  written(): Promise<void>;
}

export interface TurnContext {
  readonly label: string;
  readonly data: unknown;
}

/** An event of a host turn. */
export type HostEvent =
  | { readonly kind: 'run-started' }
  | { readonly kind: 'assistant-message-started' }
  /** The whole text of the assistant message so far. */
  | { readonly kind: 'partial-text'; readonly text: string }
  | ToolEvent
  | ReplyEvent
  /** A tool waits for an approval. */
  | { readonly kind: 'approval'; readonly approval: HostApproval }
  /** The approval was decided or has expired. */
  | { readonly kind: 'approval-settled'; readonly approvalId: string }
  /** How the agent's run ended. Missing if the host abandoned the run. */
  | { readonly kind: 'outcome'; readonly outcome: 'completed' | 'failed' };

export interface ToolEvent {
  readonly kind: 'tool';
  readonly phase: 'start' | 'update' | 'result';
  readonly name: string;
  readonly callId: string;
  /** How the call ended: `completed`, `failed`, `blocked`. */
  readonly status?: string;
  /** The complete output of the tool so far, if the host reports it. */
  readonly output?: string;
}

/** A reply to the caller. */
export interface ReplyEvent {
  readonly kind: 'reply';
  /** `block` is a part of an answer, `final` an answer, `tool` the summary of a tool's result. */
  readonly reply: 'block' | 'final' | 'tool';
  readonly text?: string;
  readonly media: readonly HostMedia[];
  readonly isError: boolean;
}

export interface HostMedia {
  /** A path on the gateway's machine, or a URL. */
  readonly reference: string;
  readonly name?: string;
}

export type HostTurnEnd =
  | { readonly kind: 'ended' }
  /** The host abandoned the turn after the agent had started. */
  | { readonly kind: 'interrupted' }
  /** The host rejected the message, and nothing was done; with `later` it may be retried. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly later?: boolean };
