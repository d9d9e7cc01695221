import type { Owner } from '@holdword/runtime';

/** Which tools of the host a caller's turns may use. */
export type ToolAccess = 'none' | 'all' | readonly string[];

/** Which agent of the host answers a caller. */
export type AgentChoice =
  /** This one, whatever the gateway's bindings say: the caller's entry names it. */
  | { readonly kind: 'fixed'; readonly agentId: string }
  /** This one, unless a binding of the gateway names another. */
  | { readonly kind: 'default'; readonly agentId: string }
  /** The one that the gateway's bindings name for the peer, else the gateway's own default. */
  | { readonly kind: 'bound'; readonly peerName: string };

/** Who asks, and what the account's configuration grants them. */
export interface Caller {
  readonly owner: Owner;
  /** The entry of `auth.peers`; absent for callers without a credential. */
  readonly peerName?: string;
  readonly agent: AgentChoice;
  readonly tools: ToolAccess;
  /** Whether the caller may itself allow what a tool asks permission for; otherwise the gateway's operator has to. */
  readonly mayApprove: boolean;
}

/** What an account grants to the owner of a task. Asked for every turn, so that it holds after a restart, too. */
export type CallerOf = (owner: Owner) => Caller;
