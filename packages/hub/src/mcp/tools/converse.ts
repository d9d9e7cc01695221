import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { ToolHub } from '../hub-tool.ts';

/** The answer fields that a model needs; the rest is for A2A clients. */
const KEPT = [
  'session_id',
  'session_resolution',
  'status',
  'next_action',
  'next_actions',
  'handoff_packet',
  'request_warnings',
] as const;

/** Sends a message in the caller's session and returns the answer's text with the fields a model needs. */
export async function converse(hub: ToolHub, params: JsonObject): Promise<JsonObject> {
  const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
  const result = await hub.method('message/send', { profile: 'full', ...given });
  const kept = KEPT.filter((name) => result[name] !== undefined).map((name) => [name, result[name]]);
  return { answer: answerIn(result), task_id: result['id'], ...Object.fromEntries(kept) };
}

function answerIn({ messages }: JsonObject): string {
  const last = asObject(Array.isArray(messages) ? messages.at(-1) : undefined);
  const parts: unknown[] = Array.isArray(last['parts']) ? last['parts'] : [];
  return parts
    .map((part) => asObject(part)['text'])
    .filter((text) => typeof text === 'string')
    .join('\n');
}
