import type { Owner, TurnGroup } from '@holdword/runtime';
import type { AuthConfig } from '../config/account-config.ts';
import { findPeer } from './peer-names.ts';

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
