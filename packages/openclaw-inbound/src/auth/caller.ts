import type { Owner } from '@holdword/runtime';

/** The host tools that a caller's turns may use. */
export type ToolAccess = 'none' | 'all' | readonly string[];

/** The host agent that answers a caller. */
export type AgentChoice =
  /** The agent from the caller's entry, regardless of the gateway's bindings. */
  | { readonly kind: 'fixed'; readonly agentId: string }
  /** This agent, unless a binding of the gateway names another. */
  | { readonly kind: 'default'; readonly agentId: string }
  /** The agent that the gateway's bindings name for the peer, otherwise the gateway's default. */
  | { readonly kind: 'bound'; readonly peerName: string };

/** A caller and what the account's configuration grants it. */
export interface Caller {
  readonly owner: Owner;
  /** Its name in `auth.peers`; absent for callers without credentials. */
  readonly peerName?: string;
  readonly agent: AgentChoice;
  readonly tools: ToolAccess;
  /** Whether the caller decides tool approvals itself; otherwise the gateway's operator does. */
  readonly mayApprove: boolean;
}

/** What an account grants to the owner of a task. Evaluated for every turn, including after a restart. */
export type CallerOf = (owner: Owner) => Caller;
