import type { Owner } from '@holdword/runtime';
import type { AuthConfig, PeerConfig } from '../config/account-config.ts';

const PREFIX = 'peer:';

/** How a peer is called as the owner of its tasks, whichever of its credentials it came with. */
export function callerIdOf(peerName: string): string {
  return `${PREFIX}${peerName}`;
}

/** The peer that owns a task; undefined for callers without a credential, and where its entry is gone. */
export function findPeer(
  peers: AuthConfig['peers'],
  { authenticated, caller }: Owner,
): { name: string; peer: PeerConfig } | undefined {
  if (!authenticated || !caller.startsWith(PREFIX)) return undefined;
  const name = caller.slice(PREFIX.length);
  const peer = Object.hasOwn(peers, name) ? peers[name] : undefined;
  return peer && { name, peer };
}
