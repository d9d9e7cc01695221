import type { AgentSkill } from '@holdword/protocol';
import type { ToolAccess } from '../auth/caller.ts';

/** One account of the channel, checked and with all defaults filled in. */
export interface AccountConfig {
  readonly accountId: string;
  readonly enabled: boolean;
  readonly label?: string;
  readonly description?: string;
  /**
   * Where others reach the gateway, without a slash at the end, or REQUEST_ORIGIN. An account without it cannot start.
   */
  readonly publicBaseUrl?: string;
  /** The agent that answers whom no entry of `auth` gives another. */
  readonly defaultAgentId: string;
  /** Bindings of the gateway by a peer's plain name choose the agent, as in OpenClaw's own channel. */
  readonly agentsByBinding?: boolean;
  readonly agentCardPath: string;
  readonly jsonRpcPath: string;
  /** Where clients of OpenClaw's own channel look for the card, too. */
  readonly legacyCardPath?: string;
  /** Where clients of OpenClaw's own channel call: they speak 1.0 and do not say so. */
  readonly unversionedJsonRpcPath?: string;
  /** Where REST is served when it is switched on. */
  readonly restPath: string;
  readonly maxBodyBytes: number;
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly agentStyle: AgentStyle;
  readonly taskStore: TaskStoreConfig;
  readonly skills: readonly AgentSkill[];
  readonly features: Features;
  /** Private addresses that are notified all the same. */
  readonly pushAllowPrivate: readonly string[];
  readonly auth: AuthConfig;
  /** A blocking send answers with the task as it is after this long; it waits for the end without it. */
  readonly replyTimeoutMilliseconds?: number;
}

/** The card names the address under which a client asked for it. */
export const REQUEST_ORIGIN = 'request-origin';

/** `hybrid` answers with a plain message where no task is needed; `task-generating` makes a task of everything. */
export type AgentStyle = 'hybrid' | 'task-generating';

export type TaskStoreConfig =
  | { readonly kind: 'memory' }
  | { readonly kind: 'json-file'; readonly path: string }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema?: string };

/** What an account offers beyond the plain contract; nothing unless it is switched on. */
export interface Features {
  readonly rest: boolean;
  readonly push: boolean;
  readonly files: boolean;
  readonly extendedCard: boolean;
}

export interface AuthConfig {
  /** Callers without a credential are refused. */
  readonly required: boolean;
  readonly peers: Readonly<Record<string, PeerConfig>>;
  readonly jwt?: JwtConfig;
  /** What all callers without a credential may ask for together. */
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
  /** Turns that run at once; more wait. */
  readonly concurrentTurns: number;
}

export interface JwtConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwks: { readonly url: string } | { readonly file: string };
}
