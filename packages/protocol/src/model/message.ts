import { z } from 'zod';
import { jsonObjectSchema, listOf, withoutEmpty } from './json.ts';

/** The fields of a part of which exactly one is set. */
export const PART_CONTENT_FIELDS = ['text', 'raw', 'url', 'data'] as const;

function hasOneContent(part: Partial<Record<(typeof PART_CONTENT_FIELDS)[number], unknown>>): boolean {
  let contents = 0;
  for (const field of PART_CONTENT_FIELDS) {
    if (part[field] !== undefined) contents += 1;
  }
  return contents === 1;
}

export const partSchema = z
  .object({
    text: z.string().optional(),
    raw: z.string().refine(isBase64, { message: 'expected base64' }).overwrite(toStandardBase64).optional(),
    url: z.string().min(1).optional(),
    data: z.unknown().optional(),
    metadata: jsonObjectSchema.optional(),
    filename: z.string().optional(),
    mediaType: z.string().optional(),
  })
  .refine(hasOneContent, { message: 'expected exactly one of text, raw, url and data' });
/** One piece of content: exactly one of `text`, `raw` (base64), `url` and `data`. */
export type Part = z.infer<typeof partSchema>;

/**
 * The text of all text parts, joined by line breaks.
 *
 * @example
 * ```ts
 * textOfParts([{ text: 'Hello,' }, { url: 'https://example.com/image.png' }, { text: 'world' }]);
 * // 'Hello,\nworld'
 * ```
 */
export function textOfParts(parts: readonly Part[]): string {
  let text: string | undefined;
  for (const part of parts) {
    if (part.text !== undefined) text = text === undefined ? part.text : `${text}\n${part.text}`;
  }
  return text ?? '';
}

/** Whether a part has a text and no other field, as most parts do. Cheaper than a schema. */
export function isBareText(part: unknown): part is { text: string } {
  return (
    typeof part === 'object' &&
    part !== null &&
    'text' in part &&
    typeof part.text === 'string' &&
    Object.keys(part).length === 1
  );
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Accepts what ProtoJSON accepts: the standard or the URL-safe alphabet, padded or not. */
export function isBase64(value: string): boolean {
  if (!BASE64.test(value)) return false;
  return value.endsWith('=') ? value.length % 4 === 0 : value.length % 4 !== 1;
}

/** The form that ProtoJSON writes: the standard alphabet with padding. */
export function toStandardBase64(value: string): string {
  const standard = value.replaceAll('-', '+').replaceAll('_', '/');
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, '=');
}

export const roleSchema = z.enum(['ROLE_USER', 'ROLE_AGENT']);
/** Who wrote a message. */
export type Role = z.infer<typeof roleSchema>;

export const messageSchema = z
  .object({
    messageId: z.string().min(1),
    contextId: z.string().optional(),
    taskId: z.string().optional(),
    role: roleSchema,
    parts: listOf(partSchema, { atLeast: 1 }),
    metadata: jsonObjectSchema.optional(),
    extensions: listOf(z.string()).optional(),
    referenceTaskIds: listOf(z.string()).optional(),
  })
  .overwrite(withoutEmpty('contextId', 'taskId'));
/** A message from a user or an agent. */
export type Message = z.infer<typeof messageSchema>;
