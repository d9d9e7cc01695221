import type { AccountConfig, PeerConfig } from '../config/account-config.ts';
import type { AgentChoice, CallerOf } from './caller.ts';
import { findPeer } from './peer-names.ts';

/**
 * What an account grants. Anonymous callers, and callers whose entry was removed, can only talk to the agent. Only peers get
 * tools, and only those in their entry.
 */
export function createCallerOf(
  config: Pick<AccountConfig, 'defaultAgentId' | 'agentsByBinding' | 'auth'>,
): CallerOf {
  return (owner) => {
    const found = findPeer(config.auth.peers, owner);
    return {
      owner,
      ...(found && { peerName: found.name }),
      agent: agentFor(config, found),
      tools: found?.peer.tools ?? 'none',
      mayApprove: found?.peer.mayApprove ?? false,
    };
  };
}

function agentFor(
  { defaultAgentId, agentsByBinding = false }: Pick<AccountConfig, 'defaultAgentId' | 'agentsByBinding'>,
  found: { name: string; peer: PeerConfig } | undefined,
): AgentChoice {
  if (found?.peer.agentId !== undefined) return { kind: 'fixed', agentId: found.peer.agentId };
  if (found !== undefined && agentsByBinding) return { kind: 'bound', peerName: found.name };
  return { kind: 'default', agentId: defaultAgentId };
}
