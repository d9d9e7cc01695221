import type { JsonObject } from '@holdword/protocol';
import type { Continuation, HubPart } from '../hub-part.ts';
import type { Identity } from '../identity/identity.ts';

/** Asks the parts of the hub for another agent's task that the message continues. */
export async function findContinuation(
  parts: readonly HubPart[],
  params: JsonObject,
  identity: Identity,
): Promise<Continuation | undefined> {
  for (const part of parts) {
    const continuation = await part.continuation?.(params, identity);
    if (continuation !== undefined) return continuation;
  }
  return undefined;
}
