import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { toRestAnswer } from '../errors/encode-error.ts';

/** A failure in words that a model can act on: the same that places of HTTP answer. */
export function toolError(error: unknown): JsonObject {
  return asObject(toRestAnswer(error).body['error']);
}
