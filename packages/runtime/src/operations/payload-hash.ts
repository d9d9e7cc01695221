import { createHash } from 'node:crypto';
import type { SendMessageRequest } from '@holdword/protocol';

/**
 * What makes two requests the same intent (J8): the message and the request's metadata, whatever the order of their
 * keys. How the sender wants to wait is not part of it: a request may be repeated as a stream.
 */
export function payloadHash(request: SendMessageRequest): string {
  const payload = { message: request.message, metadata: request.metadata };
  return createHash('sha256').update(JSON.stringify(payload, sortKeys)).digest('base64url');
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
