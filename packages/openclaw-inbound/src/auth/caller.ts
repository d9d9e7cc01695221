import type { Owner, TurnGroup } from '@holdword/runtime';
import type { AccountConfig, AuthConfig, PeerConfig, ToolAccess } from '../config/account-config.ts';

/** The host agent that answers a caller. */
export type AgentChoice =
  /** The agent from the caller's entry, regardless of the gateway's bindings. */
  | { readonly kind: 'fixed'; readonly agentId: string }
  /** The agent of the account, unless a binding of the gateway names the account. */
  | { readonly kind: 'account'; readonly agentId: string }
  /** The agent that the gateway's bindings name, by the plain name of a peer if there is one, otherwise its default. */
  | { readonly kind: 'bound'; readonly peerName: string | undefined };

/** A caller and what the account's configuration grants it. */
export interface Caller {
  readonly owner: Owner;
  /** Its name in `auth.peers`; absent for callers without credentials. */
  readonly peerName: string | undefined;
  readonly agent: AgentChoice;
  readonly tools: ToolAccess;
  /** Whether the caller's turns see the private files of the agent's workspace. */
  readonly privateFiles: boolean;
  /** Whether the caller decides tool approvals itself; otherwise the gateway's operator does. */
  readonly mayApprove: boolean;
}

/** What an account grants to the owner of a task. Evaluated for every turn, including after a restart. */
export type CallerOf = (owner: Owner) => Caller;

/**
 * What an account grants. Anonymous callers, and callers whose entry was removed, can only talk to the agent. Only peers get
 * tools and private files, and only those in their entry.
 */
export function createCallerOf(
  config: Pick<AccountConfig, 'defaultAgentId' | 'agentsByBinding' | 'auth'>,
): CallerOf {
  return (owner) => {
    const found = findPeer(config.auth.peers, owner);
    return {
      owner,
      peerName: found?.name,
      agent: agentFor(config, found),
      tools: found?.peer.tools ?? 'none',
      privateFiles: found?.peer.privateFiles ?? false,
      mayApprove: found?.peer.mayApprove ?? false,
    };
  };
}

function agentFor(
  { defaultAgentId, agentsByBinding }: Pick<AccountConfig, 'defaultAgentId' | 'agentsByBinding'>,
  found: { name: string; peer: PeerConfig } | undefined,
): AgentChoice {
  if (found?.peer.agentId !== undefined) return { kind: 'fixed', agentId: found.peer.agentId };
  if (found !== undefined && agentsByBinding) return { kind: 'bound', peerName: found.name };
  if (defaultAgentId === undefined) return { kind: 'bound', peerName: undefined };
  return { kind: 'account', agentId: defaultAgentId };
}

/**
 * Limits concurrent turns per peer with such a limit, and for all anonymous callers together, regardless of the tenant they
 * name.
 */
export function createTurnGroupOf({ peers, anonymous }: AuthConfig): (owner: Owner) => TurnGroup | undefined {
  return (owner) => {
    if (!owner.authenticated) return { name: 'anonymous', maxRunning: anonymous.concurrentTurns };
    const maxRunning = findPeer(peers, owner)?.peer.concurrentTurns;
    return maxRunning === undefined ? undefined : { name: owner.caller, maxRunning };
  };
}

const PREFIX = 'peer:';

/** The caller id of a peer as the owner of its tasks; the same for all of its credentials. */
export function callerIdOf(peerName: string): string {
  return `${PREFIX}${peerName}`;
}

/** The peer that owns a task; undefined for anonymous callers and for peers whose entry was removed. */
export function findPeer(
  peers: AuthConfig['peers'],
  { authenticated, caller }: Owner,
): { name: string; peer: PeerConfig } | undefined {
  if (!authenticated || !caller.startsWith(PREFIX)) return undefined;
  const name = caller.slice(PREFIX.length);
  const peer = Object.hasOwn(peers, name) ? peers[name] : undefined;
  return peer && { name, peer };
}
