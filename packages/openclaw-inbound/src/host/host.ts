import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AgentChoice } from '../auth/caller.ts';
import type { SessionIdentity } from '../auth/session-identity.ts';
import type { ToolAccess } from '../config/account-config.ts';
import type { ApprovalChoice, ApprovalSettlement, HostApproval } from './approvals.ts';

/**
 * What this plugin needs from the gateway. All other code runs without a gateway.
 */
export interface Host {
  /** Runs one turn of an agent. Resolves when the turn is over, regardless of its outcome. */
  dispatch(turn: HostTurn): Promise<HostTurnEnd>;
  /** Saves a file where the agent can read it. */
  saveFile(file: IncomingFile): Promise<SavedFile>;
  /** The folders of files that the agent sends. */
  readonly producedFileFolders: readonly string[];
  /** Decides a tool approval. Returns false if it is no longer open. */
  decideApproval(decision: ApprovalDecision): Promise<boolean>;
  /** Registers a path on the gateway's HTTP server and returns a function to unregister it. Throws if the path is in use. */
  registerRoute(route: HostRoute): () => void;
}

export interface HostRoute {
  readonly path: string;
  readonly match: 'exact' | 'prefix';
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
}

export interface IncomingFile {
  readonly content: Buffer;
  readonly mediaType: string | undefined;
  readonly name: string | undefined;
}

export interface SavedFile {
  readonly path: string;
  readonly mediaType: string | undefined;
  readonly name: string | undefined;
}

export interface ApprovalDecision {
  readonly approval: HostApproval;
  /** One of the allowed decisions. */
  readonly decision: ApprovalChoice;
  /** The sender id of the caller that decides. */
  readonly senderId: string;
}

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
  /** Whether the agent sees the private files of its workspace. */
  readonly privateFiles: boolean;
  /** The name of the caller's own workspace, in which turns without private files run. */
  readonly workspace: string;
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
  | { readonly kind: 'approval-settled'; readonly approvalId: string; readonly how: ApprovalSettlement }
  /** How the agent's run ended. Missing if the host abandoned the run. */
  | { readonly kind: 'outcome'; readonly outcome: 'completed' | 'failed' };

export interface ToolEvent {
  readonly kind: 'tool';
  readonly phase: 'start' | 'update' | 'result';
  readonly name: string;
  readonly callId: string;
  /** How the call ended: `completed`, `failed`, `blocked`. */
  readonly status?: string | undefined;
  /** The complete output of the tool so far, if the host reports it. */
  readonly output?: string | undefined;
}

/** A reply to the caller. */
export interface ReplyEvent {
  readonly kind: 'reply';
  /** `block` is a part of an answer, `final` an answer, `tool` the summary of a tool's result. */
  readonly reply: 'block' | 'final' | 'tool';
  readonly text?: string | undefined;
  readonly media: readonly HostMedia[];
  readonly isError: boolean;
}

export interface HostMedia {
  /** A path on the gateway's machine, or a URL. */
  readonly reference: string;
  readonly name?: string | undefined;
}

export type HostTurnEnd =
  | { readonly kind: 'ended' }
  /** The host abandoned the turn after the agent had started. */
  | { readonly kind: 'interrupted' }
  /** The host rejected the message, and nothing was done; with `later` it may be retried. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly later?: boolean };
