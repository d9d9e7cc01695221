import { z } from 'zod';
import { jsonObjectSchema } from './json.ts';

const CONTENT_FIELDS = ['text', 'raw', 'url', 'data'] as const;

/** One piece of content: exactly one of `text`, `raw` (base64), `url` and `data`. */
export const partSchema = z
  .object({
    text: z.string().optional(),
    raw: z.string().optional(),
    url: z.string().min(1).optional(),
    data: z.unknown().optional(),
    metadata: jsonObjectSchema.optional(),
    filename: z.string().optional(),
    mediaType: z.string().optional(),
  })
  .refine((part) => CONTENT_FIELDS.filter((field) => part[field] !== undefined).length === 1, {
    message: 'expected exactly one of text, raw, url and data',
  });
export type Part = z.infer<typeof partSchema>;

/** The text of all text parts, joined by line breaks: what a plain-text agent reads. */
export function textOfParts(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.text === undefined ? [] : [part.text])).join('\n');
}
