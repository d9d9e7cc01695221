import type { Owner } from '@parley/runtime';

/** Which tools of the host a caller's turns may use. */
export type ToolAccess = 'none' | 'all' | readonly string[];

/** Who asks, and what the account's configuration grants them. */
export interface Caller {
  readonly owner: Owner;
  /** The entry of `auth.peers`; absent for callers without a credential. */
  readonly peerName?: string;
  /** The agent of the host that answers. */
  readonly agentId: string;
  /** The caller's entry names the agent; the gateway's bindings do not matter then. */
  readonly agentFixed: boolean;
  readonly tools: ToolAccess;
  /** Whether the caller may itself allow what a tool asks permission for; otherwise the gateway's operator has to. */
  readonly mayApprove: boolean;
}

/** What an account grants to the owner of a task. Asked for every turn, so that it holds after a restart, too. */
export type CallerOf = (owner: Owner) => Caller;
