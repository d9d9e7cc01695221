import type { JsonObject } from '@parley/protocol';
import { asObject } from '@parley/protocol/legacy';
import { toRestAnswer } from '../errors/encode-error.ts';

/** A failure in words that a model can act on: the same that places of HTTP answer. */
export function toolError(error: unknown): JsonObject {
  return asObject(toRestAnswer(error).body['error']);
}
