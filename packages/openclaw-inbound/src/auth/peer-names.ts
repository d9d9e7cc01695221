import type { Owner } from '@holdword/runtime';
import type { AuthConfig, PeerConfig } from '../config/account-config.ts';

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
