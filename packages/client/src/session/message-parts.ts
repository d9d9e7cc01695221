import type { Part } from '@holdword/protocol';
import { decodeRequest, partSchema, v03PartToCore } from '@holdword/protocol/internal';
import { z } from 'zod';
import type { AnyPart } from '../llm/any-artifact.ts';

const partsSchema = z.array(partSchema).min(1);

/** A text, or parts in the form of 1.0 or 0.3: text, data and files. Throws an A2AError that names what is wrong. */
export function messageParts(content: string | readonly AnyPart[]): Part[] {
  if (typeof content === 'string') return [{ text: content }];
  return decodeRequest(
    partsSchema,
    content.map((part) => ('kind' in part ? v03PartToCore(part) : part)),
  );
}
