/*
 * The contract of the tool: its requests, and the results for programs. Only types and no imports: the published plugin has this
 * file as its declarations.
 */

/** What a request asks for. */
export type Action = 'list_targets' | 'send' | 'watch' | 'status' | 'cancel';

/** How an agent is reached. */
export type Transport = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

/** A request to the tool. Which fields are allowed depends on the action. */
export interface RemoteAgentRequest {
  action: Action;
  target_alias?: string;
  target_aliases?: string[];
  target_url?: string;
  parts?: RequestPart[];
  message_id?: string;
  task_handle?: string;
  task_id?: string;
  context_id?: string;
  continuation?: RequestContinuation;
  reference_task_ids?: string[];
  task_requirement?: 'optional' | 'required';
  follow_updates?: boolean;
  collect?: 'all' | 'first';
  wait_for?: WaitFor;
  accepted_output_modes?: string[];
  blocking?: boolean;
  history_length?: number;
  push_notification_config?: PushNotificationConfig;
  timeout_ms?: number;
  service_parameters?: Record<string, string>;
  metadata?: Record<string, unknown>;
}

/** A part of a message. */
export type RequestPart = (
  | { kind: 'text'; text: string }
  | { kind: 'file'; uri?: string; bytes?: string; name?: string; mime_type?: string }
  | { kind: 'data'; data: Record<string, unknown> }
) & { metadata?: Record<string, unknown> };

/** What a follow-up needs: `summary.continuation` of an earlier result. */
export interface RequestContinuation {
  target: ContinuationTarget;
  task?: ContinuationTask;
  conversation?: ContinuationConversation;
}

/** Where the agent is. */
export interface ContinuationTarget {
  target_url: string;
  card_path: string;
  preferred_transports: Transport[];
  target_alias?: string;
  /** Signature over the three address fields, made by this plugin; only for targets that are not configured. */
  signature?: string;
}

/** A task, and what can be done with it. */
export interface ContinuationTask {
  task_handle?: string;
  task_id: string;
  status?: string;
  can_resume_send?: boolean;
  can_send?: boolean;
  can_status?: boolean;
  can_cancel?: boolean;
  can_watch?: boolean;
}

/** A conversation. Only `send` can use it. */
export interface ContinuationConversation {
  context_id: string;
  can_send?: true;
}

/** The tasks that `watch` waits for. */
export interface WaitFor {
  task_handles: string[];
  /** Wait for all tasks or for one of them. @default 'all' */
  mode?: 'all' | 'any';
}

/** A webhook that receives updates. */
export interface PushNotificationConfig {
  url: string;
  id?: string;
  token?: string;
  authentication?: { schemes: string[]; credentials?: string };
}

/** The result of a call: `details` of the tool result. {@link SummaryOf} says which summary belongs to a request. */
export type RemoteAgentResult<Summary extends ResultSummary = ResultSummary> =
  RemoteAgentSuccess<Summary> | RemoteAgentFailure;

/** What a call that succeeded found out, for one agent, for several, or about the targets. */
export type ResultSummary = ReplySummary | BranchesSummary | TargetsSummary;

/**
 * The summary that answers a request, as far as its type says.
 *
 * @example
 * declare function call<const Request extends RemoteAgentRequest>(
 *   request: Request,
 * ): Promise<RemoteAgentResult<SummaryOf<Request>>>;
 */
export type SummaryOf<Request extends RemoteAgentRequest> = RemoteAgentRequest extends Request
  ? ResultSummary
  : Request extends { readonly action: 'list_targets' }
    ? TargetsSummary
    : Request extends { readonly target_aliases: readonly string[] } | { readonly wait_for: object }
      ? BranchesSummary
      : ReplySummary;

/** A call that succeeded. What the agent made of the request is in `summary`: a failed task is an answer as well. */
export type RemoteAgentSuccess<Summary extends ResultSummary = ResultSummary> = {
  readonly ok: true;
  readonly operation: 'remote_agent';
  readonly action: string;
  readonly summary: Summary;
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
  /** What the plugin says about the answer: that it began a new conversation, because the agent had named none. */
  readonly note?: string;
  readonly message_text?: string;
  /** The original length of `message_text`; present if it was cut. */
  readonly message_text_cut?: { readonly characters: number; readonly limit: number };
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
  /** `collect: first` only: the tasks of `not_stopped` that are known, to watch or cancel them. */
  readonly not_stopped_tasks?: readonly RunningTask[];
  /** `wait_for` only. */
  readonly mode?: 'all' | 'any';
  /** `wait_for` only: the handles of the tasks that have not ended. */
  readonly still_running?: readonly string[];
  readonly branches: readonly BranchResult[];
};

/** A task that may still be running. */
export type RunningTask = {
  readonly target_alias: string;
  readonly task_handle?: string;
  readonly continuation: RequestContinuation;
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
  /** Present if the error has text of the agent. */
  readonly peer_card_error_source?: 'agent';
  /** Where the card has moved to, if that is why it could not be fetched. */
  readonly redirected_to?: string;
};

/** The question of a task that is waiting for input, as data. */
export type Question = {
  readonly kind: 'input-required' | 'auth-required';
  readonly text?: string;
  readonly choices?: readonly { readonly value: string; readonly label?: string }[];
  /** JSON schema of the answer. */
  readonly schema?: unknown;
  readonly expires_at?: string;
  /** Where the user authenticates or supplies the input. */
  readonly url?: string;
};

/** A file in an answer of an agent, as a result tells it. */
export type SavedFile = {
  /** Where it was saved; absent if it was not. */
  readonly path?: string;
  /** The agent's name for it, unchanged. */
  readonly name?: string;
  readonly mime_type?: string;
  readonly bytes: number;
  /** Why it was not saved. */
  readonly error?: string;
};

/** What went wrong. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'A2A_SDK_ERROR'
  | 'TARGET_RESOLUTION_ERROR'
  | 'UNKNOWN_TASK_HANDLE'
  | 'EXPIRED_TASK_HANDLE'
  | 'TASK_REQUIRED_BUT_MESSAGE_RETURNED'
  | 'WAIT_TIMEOUT'
  | 'INTERNAL_ERROR';
