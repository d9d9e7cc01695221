import type { AgentSkill } from '@holdword/protocol';
import type { ToolAccess } from '../auth/caller.ts';

/** One account of the channel, validated and with defaults applied. */
export interface AccountConfig {
  readonly accountId: string;
  readonly enabled: boolean;
  readonly label?: string;
  readonly description?: string;
  /**
   * Where other agents reach the gateway, without a trailing slash, or REQUEST_ORIGIN. Without it the account cannot start.
   */
  readonly publicBaseUrl?: string;
  /** The agent that answers, unless the caller's entry in `auth` names another. */
  readonly defaultAgentId: string;
  /** The gateway's bindings for a peer's name select the agent, as in OpenClaw's bundled channel. */
  readonly agentsByBinding?: boolean;
  readonly agentCardPath: string;
  readonly jsonRpcPath: string;
  /** Additional card path for clients of OpenClaw's bundled channel. */
  readonly legacyCardPath?: string;
  /** Endpoint for clients of OpenClaw's bundled channel: they speak 1.0 without a version header. */
  readonly unversionedJsonRpcPath?: string;
  /** Path of the HTTP+JSON binding, if it is enabled. */
  readonly restPath: string;
  readonly maxBodyBytes: number;
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly agentStyle: AgentStyle;
  readonly taskStore: TaskStoreConfig;
  readonly skills: readonly AgentSkill[];
  readonly features: Features;
  /** Private addresses that push notifications may be sent to. */
  readonly pushAllowPrivate: readonly string[];
  readonly auth: AuthConfig;
  /** A blocking send returns the current task after this time. @default waits for the end of the task */
  readonly replyTimeoutMilliseconds?: number;
}

/** The card contains the address of the request. */
export const REQUEST_ORIGIN = 'request-origin';

/** `hybrid` answers with a plain message if no task is needed; `task-generating` always creates a task. */
export type AgentStyle = 'hybrid' | 'task-generating';

export type TaskStoreConfig =
  | { readonly kind: 'memory' }
  | { readonly kind: 'json-file'; readonly path: string }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema?: string };

/** Optional features of an account, all off by default. */
export interface Features {
  readonly rest: boolean;
  readonly push: boolean;
  readonly files: boolean;
  readonly extendedCard: boolean;
}

export interface AuthConfig {
  /** Callers without credentials are rejected. */
  readonly required: boolean;
  readonly peers: Readonly<Record<string, PeerConfig>>;
  readonly jwt?: JwtConfig;
  /** Limits shared by all callers without credentials. */
  readonly anonymous: CallerLimits;
}

export interface PeerConfig extends Partial<CallerLimits> {
  /** SHA-256 digests of the peer's keys, as lower-case hex. */
  readonly keyDigests: readonly string[];
  /** The `sub` of the peer's tokens. */
  readonly subject?: string;
  readonly agentId?: string;
  readonly tools: ToolAccess;
  readonly mayApprove: boolean;
}

export interface CallerLimits {
  readonly requestsPerMinute: number;
  /** Turns that run concurrently; further turns are queued. */
  readonly concurrentTurns: number;
}

export interface JwtConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwks: { readonly url: string } | { readonly file: string };
}
