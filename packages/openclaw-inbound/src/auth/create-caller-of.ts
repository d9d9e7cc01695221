import type { AccountConfig } from '../config/account-config.ts';
import type { CallerOf } from './caller.ts';
import { findPeer } from './peer-names.ts';

/**
 * What an account grants. Whoever came without a credential, and whose entry is gone since, may talk and no more: only
 * peers make the agent use tools, and only those that their entry names.
 */
export function createCallerOf({
  defaultAgentId,
  auth,
}: Pick<AccountConfig, 'defaultAgentId' | 'auth'>): CallerOf {
  return (owner) => {
    const found = findPeer(auth.peers, owner);
    return {
      owner,
      ...(found && { peerName: found.name }),
      agentId: found?.peer.agentId ?? defaultAgentId,
      agentFixed: found?.peer.agentId !== undefined,
      tools: found?.peer.tools ?? 'none',
      mayApprove: found?.peer.mayApprove ?? false,
    };
  };
}
