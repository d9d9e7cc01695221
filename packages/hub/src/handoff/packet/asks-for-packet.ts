import type { JsonObject } from '@holdword/protocol';

const PACKET_NAMES: ReadonlySet<unknown> = new Set([
  'handoff',
  'handoff_packet',
  'witness_handoff',
  'continuity_packet',
]);
const NAMING_FIELDS = ['packet', 'response_contract'];
const FLAGS = ['handoff', 'handoff_packet', 'include_handoff', 'include_handoff_packet'];

/** The parameters of a message that ask for a packet. */
export const PACKET_ARGUMENTS: readonly string[] = [...NAMING_FIELDS, ...FLAGS];

const PHRASES =
  /\bhand(?:ing)?[- ]?(?:off|over)\b|\bnext agent\b|\bshould remember\b|\brisk to watch\b|\bpróximo agente\b|\bproximo agente\b|\bpassagem de (?:bastão|bastao|turno)\b|\bdeve lembrar\b|\brisco a observar\b/iu;

/** Whether a request asks for a hand-off packet: by name, by a flag, or in the text of the message. */
export function asksForPacket(params: JsonObject, text: string): boolean {
  if (NAMING_FIELDS.some((field) => PACKET_NAMES.has(params[field]))) return true;
  if (FLAGS.some((field) => params[field] === true)) return true;
  return PHRASES.test(text);
}
