import type { HostTurnEnd } from './host-turn.ts';

/** The host takes the message another time. */
export function putOff(reason: string): HostTurnEnd {
  return { kind: 'refused', reason, later: true };
}

export const RESTARTING = putOff('the gateway is restarting');

/**
 * The gateway is about to restart and begins nothing new, or has restarted and has not yet seen to what was interrupted in
 * the session. Told by name and words: the classes are in the gateway's own files.
 */
export function isRestart(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'GatewayDrainingError' || error.message.startsWith('Restart recovery');
}
