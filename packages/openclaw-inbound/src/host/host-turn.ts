import type { HostApproval } from '../approvals/approval-desk.ts';
import type { AgentChoice, ToolAccess } from '../auth/caller.ts';
import type { SessionIdentity } from '../sessions/session-identity.ts';
import type { SavedFile } from './host.ts';

/** One message for an agent of the host, and where its events go. */
export interface HostTurn {
  readonly agent: AgentChoice;
  readonly session: SessionIdentity;
  /** The context as the caller names it; for looking up agents alone. */
  readonly contextId: string;
  /** How the agent is told who speaks. */
  readonly senderName: string;
  /** New for every turn: the host silently drops a message whose id it has seen. */
  readonly messageId: string;
  readonly text: string;
  /** What came with the text: data for the agent, never instructions. */
  readonly context: readonly TurnContext[];
  readonly files: readonly SavedFile[];
  readonly tools: ToolAccess;
  /** Questions of tools go to the caller; otherwise they are the gateway's operator's. */
  readonly asksCaller: boolean;
  /** Which agents the message came through, where its caller says so. */
  readonly route?: unknown;
  /** Ends the turn: the model's request and the tool that runs. */
  readonly signal: AbortSignal;
  /** Called in the order in which things happen. */
  onEvent(event: HostEvent): void;
  /** Resolves when everything told so far is on disk; at once while nobody reads the turn. */
  written(): Promise<void>;
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
  /** A tool waits for somebody to allow it. */
  | { readonly kind: 'approval'; readonly approval: HostApproval }
  /** Somebody has decided that question, or nobody did in time. */
  | { readonly kind: 'approval-settled'; readonly approvalId: string }
  /** How the agent's run ended. Not told where the host gave the run up. */
  | { readonly kind: 'outcome'; readonly outcome: 'completed' | 'failed' };

export interface ToolEvent {
  readonly kind: 'tool';
  readonly phase: 'start' | 'update' | 'result';
  readonly name: string;
  readonly callId: string;
  /** How the call ended: `completed`, `failed`, `blocked`. */
  readonly status?: string;
  /** Everything the tool has printed so far, where the host tells it. */
  readonly output?: string;
}

/** Something said to the caller. */
export interface ReplyEvent {
  readonly kind: 'reply';
  /** `block` is a part of an answer, `final` an answer, `tool` the summary of a tool's result. */
  readonly reply: 'block' | 'final' | 'tool';
  readonly text?: string;
  readonly media: readonly HostMedia[];
  readonly isError: boolean;
}

export interface HostMedia {
  /** A path on the gateway's machine, or an address. */
  readonly reference: string;
  readonly name?: string;
}

export type HostTurnEnd =
  | { readonly kind: 'ended' }
  /** The host gave the turn up after the agent had begun. */
  | { readonly kind: 'interrupted' }
  /** The host did not let the message in, and nothing was done; `later` when it may take it another time. */
  | { readonly kind: 'refused'; readonly reason: string; readonly later?: boolean };
