import type { HostEvent } from './host-turn.ts';

/** Texts that the gateway sends instead of an answer; no field of the reply distinguishes them. */
const NOTICES: readonly { readonly prefix: string; readonly reason: string }[] = [
  { prefix: 'Gateway is restarting', reason: 'the gateway is restarting' },
  { prefix: 'Previous run is still shutting down', reason: 'the session is busy' },
];

/** The reason why the gateway does not run a turn, if the event is such a notice; otherwise undefined. */
export function gatewayNotice(event: HostEvent): string | undefined {
  if (event.kind !== 'reply' || event.text === undefined) return undefined;
  const text = event.text.replace(/^[^A-Za-z]+/, '');
  return NOTICES.find(({ prefix }) => text.startsWith(prefix))?.reason;
}
