import type { ErrorCode } from '../remote-agent-error.ts';
import type { RequestContinuation } from '../request/request.ts';
import type { SavedFile } from '../state/received-files.ts';
import type { Question } from './question.ts';

/*
 * The result for programs: `details` of a tool result. Types and not interfaces, so that a result is a JSON object.
 */

/** The result of a call of `remote_agent`. */
export type RemoteAgentResult = RemoteAgentSuccess | RemoteAgentFailure;

/** A call that succeeded. What the agent made of the request is in `summary`: a failed task is an answer as well. */
export type RemoteAgentSuccess = {
  readonly ok: true;
  readonly operation: 'remote_agent';
  readonly action: string;
  readonly summary: ReplySummary | BranchesSummary | TargetsSummary;
  /** The A2A objects in 0.3 form: a message, a task, or the events; a list for several agents, tasks or targets. */
  readonly raw: unknown;
  /** The original length of `raw`; present if it was cut. */
  readonly raw_cut?: { readonly characters: number; readonly limit: number };
};

/** A call that failed. */
export type RemoteAgentFailure = {
  readonly ok: false;
  readonly operation: 'remote_agent';
  /** The action of the request; `unknown` if it had none. */
  readonly action: string;
  readonly error: ResultError;
};

/** What went wrong, and in `details` what to do next. */
export type ResultError = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

/** The answer of one agent. */
export type ReplySummary = {
  /** Descriptive only: follow-ups use the continuation. */
  readonly target_alias?: string;
  readonly target_url: string;
  /** The form of the answer on the wire. Descriptive only. */
  readonly response_kind: 'message' | 'task';
  readonly message_text?: string;
  /** Present if the task waits for input or credentials. */
  readonly question?: Question;
  /** The files in the answer that came with their content. */
  readonly files?: readonly SavedFile[];
  /** What a follow-up needs; absent if the agent created neither a task nor a conversation. */
  readonly continuation?: RequestContinuation;
};

/** The answers of several agents (`target_aliases`), or of several tasks (`wait_for`). */
export type BranchesSummary = {
  /** `target_aliases` only. */
  readonly collect?: 'all' | 'first';
  /** `collect: first` only: agents that were still working. Their tasks are canceled. */
  readonly stopped?: readonly string[];
  /** `collect: first` only: agents that were still working and whose tasks may still be running. */
  readonly not_stopped?: readonly string[];
  /** `wait_for` only. */
  readonly mode?: 'all' | 'any';
  /** `wait_for` only: the handles of the tasks that have not ended. */
  readonly still_running?: readonly string[];
  readonly branches: readonly BranchResult[];
};

/** The result of one agent or one task of several. */
export type BranchResult = {
  readonly target_alias?: string;
  readonly task_handle?: string;
} & (
  { readonly ok: true; readonly summary: ReplySummary } | { readonly ok: false; readonly error: ResultError }
);

/** The configured targets. */
export type TargetsSummary = { readonly targets: readonly TargetSummary[] };

/** A configured target, with the card of its agent. */
export type TargetSummary = {
  readonly target_alias: string;
  readonly target_url: string;
  readonly default: boolean;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
  readonly target_name?: string;
  readonly description?: string;
  readonly peer_card?: Readonly<Record<string, unknown>>;
  /** Why the card could not be fetched. */
  readonly peer_card_error?: string;
};
