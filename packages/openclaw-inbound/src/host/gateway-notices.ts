import type { HostEvent, HostTurnEnd } from './host.ts';

/*
 * What the gateway says in words only, in English. Everything that depends on its texts is here: a new version of OpenClaw may
 * change them.
 */

/** Texts that the gateway sends instead of an answer; no field of the reply distinguishes them. */
export const NOTICES: readonly { readonly prefix: string; readonly reason: string }[] = [
  { prefix: 'Gateway is restarting', reason: 'the gateway is restarting' },
  { prefix: 'Previous run is still shutting down', reason: 'the session is busy' },
];

/** The reason why the gateway does not run a turn, if the event is such a notice; otherwise undefined. */
export function gatewayNotice(event: HostEvent): string | undefined {
  if (event.kind !== 'reply' || event.text === undefined) return undefined;
  const text = event.text.replace(/^[^A-Za-z]+/, '');
  return NOTICES.find(({ prefix }) => text.startsWith(prefix))?.reason;
}

/** The host rejected the message for now; it may be retried. */
export function retryLater(reason: string): HostTurnEnd {
  return { kind: 'rejected', reason, later: true };
}

export const RESTARTING = retryLater('the gateway is restarting');

/** The name and the text of errors whose classes are not exported and that have no code. */
export const DRAINING_ERROR = 'GatewayDrainingError';
export const RECOVERY_TEXT = 'Restart recovery';

/** Whether the gateway is about to restart, or has restarted and has not yet recovered the session. */
export function isGatewayRestart(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === DRAINING_ERROR || error.message.startsWith(RECOVERY_TEXT);
}
