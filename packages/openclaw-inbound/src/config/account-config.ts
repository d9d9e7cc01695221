import type { AgentSkill } from '@parley/protocol';
import type { ToolAccess } from '../auth/caller.ts';

/** One account of `channels.a2a.accounts`, checked and with all defaults filled in. */
export interface AccountConfig {
  readonly accountId: string;
  readonly enabled: boolean;
  readonly label?: string;
  readonly description?: string;
  /** Where others reach the gateway; an account without it cannot start. */
  readonly publicBaseUrl?: string;
  /** The agent that answers whom no entry of `auth` gives another. */
  readonly defaultAgentId: string;
  readonly agentCardPath: string;
  readonly jsonRpcPath: string;
  readonly maxBodyBytes: number;
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly agentStyle: AgentStyle;
  readonly taskStore: TaskStoreConfig;
  readonly skills: readonly AgentSkill[];
  readonly features: Features;
  readonly auth?: AuthConfig;
}

/** `hybrid` answers with a plain message where no task is needed; `task-generating` makes a task of everything. */
export type AgentStyle = 'hybrid' | 'task-generating';

export type TaskStoreConfig =
  | { readonly kind: 'memory' }
  | { readonly kind: 'json-file'; readonly path: string }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** What an account offers beyond the plain contract; nothing unless it is switched on. */
export interface Features {
  readonly rest: boolean;
  readonly push: boolean;
  readonly files: boolean;
  readonly extendedCard: boolean;
}

export interface AuthConfig {
  readonly peers: Readonly<Record<string, PeerConfig>>;
}

export interface PeerConfig {
  readonly agentId?: string;
  readonly tools: ToolAccess;
}
