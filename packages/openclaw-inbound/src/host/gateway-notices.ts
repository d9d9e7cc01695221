import type { HostEvent } from './host-turn.ts';

/** The gateway's own words, which it sends in the place of an answer; no field of the reply tells them from one. */
const NOTICES: readonly { readonly begins: string; readonly reason: string }[] = [
  { begins: 'Gateway is restarting', reason: 'the gateway is restarting' },
  { begins: 'Previous run is still shutting down', reason: 'the session is busy' },
];

/** Why the gateway does not go on with a turn now, where that is what a reply says; undefined for everything else. */
export function noticeIn(event: HostEvent): string | undefined {
  if (event.kind !== 'reply' || event.text === undefined) return undefined;
  const words = event.text.replace(/^[^A-Za-z]+/, '');
  return NOTICES.find(({ begins }) => words.startsWith(begins))?.reason;
}
