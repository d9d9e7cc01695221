import type { JsonObject } from '@holdword/protocol';
import { asObject, isObject } from '@holdword/protocol/internal';
import { HubError } from '../errors/hub-error.ts';
import { firstText } from '../read-fields.ts';

/** Where clients put the words when they send no message with parts. */
export const TEXT_FIELDS = ['text', 'input', 'content', 'prompt', 'reflection', 'reflection_prompt'] as const;

/** The words of a message: its text parts, or the first of the fields that stand for them. */
export function readText(params: JsonObject): string {
  const message = params['message'];
  if (typeof message === 'string' && message.trim() !== '') return message;
  const parts = asObject(message)['parts'];
  const texts = Array.isArray(parts) ? parts.map(textOfPart).filter((text) => text !== undefined) : [];
  const text =
    texts.length > 0
      ? texts.join('\n')
      : (firstText(asObject(message), TEXT_FIELDS) ?? firstText(params, TEXT_FIELDS));
  if (text !== undefined && text.trim() !== '') return text;
  throw new HubError('DELX-A2A-1004', 'Expected a message with text, found none.', {
    hint: 'Send "message": {"role": "user", "parts": [{"kind": "text", "text": "…"}]}.',
    details: { field: 'message.parts' },
  });
}

/** The parts that are no text, which the hub does not pass on. */
export function otherParts(params: JsonObject): number[] {
  const parts = asObject(params['message'])['parts'];
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part, index) => (textOfPart(part) === undefined ? [index] : []));
}

/** 0.3 names the kind, 1.0 does not, and some clients call it the type. */
function textOfPart(part: unknown): string | undefined {
  if (!isObject(part)) return undefined;
  const kind = part['kind'] ?? part['type'] ?? 'text';
  return kind === 'text' && typeof part['text'] === 'string' ? part['text'] : undefined;
}
