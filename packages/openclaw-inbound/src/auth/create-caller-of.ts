import type { AccountConfig } from '../config/account-config.ts';
import type { CallerOf } from './caller.ts';
import { peerNameOf } from './peer-names.ts';

/**
 * What an account grants. Whoever came without a credential, and whose entry is gone since, may talk and no more: only
 * peers make the agent use tools, and only those that their entry names.
 */
export function createCallerOf({
  defaultAgentId,
  auth,
}: Pick<AccountConfig, 'defaultAgentId' | 'auth'>): CallerOf {
  return (owner) => {
    const peerName = peerNameOf(owner);
    const peer = peerName === undefined ? undefined : auth.peers[peerName];
    return {
      owner,
      ...(peerName !== undefined && peer && { peerName }),
      agentId: peer?.agentId ?? defaultAgentId,
      agentFixed: peer?.agentId !== undefined,
      tools: peer?.tools ?? 'none',
      mayApprove: peer?.mayApprove ?? false,
    };
  };
}
