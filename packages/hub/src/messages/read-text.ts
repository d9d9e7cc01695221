import type { JsonObject } from '@holdword/protocol';
import { asObject, isObject } from '@holdword/protocol/internal';
import { HubError } from '../wire/hub-error.ts';
import { firstText } from '../wire/read-fields.ts';

/** Fields that can hold the text of a message without parts. */
export const TEXT_FIELDS = ['text', 'input', 'content', 'prompt', 'reflection', 'reflection_prompt'] as const;

/** Reads the text of a message: its text parts or the first non-empty text field. */
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
  throw new HubError('DELX-A2A-1004', 'The message has no text.', {
    hint: 'Send "message": {"role": "user", "parts": [{"kind": "text", "text": "…"}]}.',
    details: { field: 'message.parts' },
  });
}

/** Indexes of the parts that are not text, which the hub does not forward. */
export function otherParts(params: JsonObject): number[] {
  const parts = asObject(params['message'])['parts'];
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part, index) => (textOfPart(part) === undefined ? [index] : []));
}

/** A2A 0.3 has `kind`, A2A 1.0 has neither, and some clients send `type`. */
function textOfPart(part: unknown): string | undefined {
  if (!isObject(part)) return undefined;
  const kind = part['kind'] ?? part['type'] ?? 'text';
  return kind === 'text' && typeof part['text'] === 'string' ? part['text'] : undefined;
}
