import type { Part } from '@holdword/protocol';
import { decodeRequest, partSchema, v03PartToCore } from '@holdword/protocol/internal';
import { z } from 'zod';
import type { AnyPart } from '../llm/any-artifact.ts';

const partsSchema = z.array(partSchema).min(1);

/** Converts a text, or parts of A2A 1.0 or 0.3, to parts of 1.0. Throws an A2AError if a part is invalid. */
export function messageParts(content: string | readonly AnyPart[]): Part[] {
  if (typeof content === 'string') return [{ text: content }];
  return decodeRequest(
    partsSchema,
    content.map((part) => ('kind' in part ? v03PartToCore(part) : part)),
  );
}
