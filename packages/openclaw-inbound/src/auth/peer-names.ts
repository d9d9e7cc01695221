import type { Owner } from '@parley/runtime';

const PREFIX = 'peer:';

/** How a peer is called as the owner of its tasks, whichever of its credentials it came with. */
export function callerIdOf(peerName: string): string {
  return `${PREFIX}${peerName}`;
}

/** The peer that owns a task; undefined for callers without a credential. */
export function peerNameOf({ authenticated, caller }: Owner): string | undefined {
  return authenticated && caller.startsWith(PREFIX) ? caller.slice(PREFIX.length) : undefined;
}
