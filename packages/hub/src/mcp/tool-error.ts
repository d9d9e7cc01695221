import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { toRestAnswer } from '../wire/encode-error.ts';

/** An error that a model can act on: the same as in REST responses. */
export function toolError(error: unknown): JsonObject {
  return asObject(toRestAnswer(error).body['error']);
}
