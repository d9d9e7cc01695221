import type { HostTurnEnd } from './host-turn.ts';

/** The host rejected the message for now; it may be retried. */
export function retryLater(reason: string): HostTurnEnd {
  return { kind: 'rejected', reason, later: true };
}

export const RESTARTING = retryLater('the gateway is restarting');

/**
 * Whether the gateway is about to restart, or has restarted and has not yet recovered the session. Recognized by name and text,
 * because the error classes are not exported.
 */
export function isGatewayRestart(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'GatewayDrainingError' || error.message.startsWith('Restart recovery');
}
