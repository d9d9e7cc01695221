import type { Owner, TurnGroup } from '@holdword/runtime';
import type { AuthConfig } from '../config/account-config.ts';
import { findPeer } from './peer-names.ts';

/**
 * How many turns run at once for a peer whose entry says so, and for all callers without a credential together: naming
 * another tenant gives nobody more.
 */
export function createTurnGroupOf({ peers, anonymous }: AuthConfig): (owner: Owner) => TurnGroup | undefined {
  return (owner) => {
    if (!owner.authenticated) return { name: 'anonymous', maxRunning: anonymous.concurrentTurns };
    const maxRunning = findPeer(peers, owner)?.peer.concurrentTurns;
    return maxRunning === undefined ? undefined : { name: owner.caller, maxRunning };
  };
}
