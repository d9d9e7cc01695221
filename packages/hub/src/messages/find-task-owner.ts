import type { JsonObject } from '@holdword/protocol';
import type { Owner } from '@holdword/runtime';
import type { HubPart } from '../hub-part.ts';
import type { Identity } from '../identity/identity.ts';

/** The owner to read a task as: the caller, unless a part of the hub lets the caller read another agent's task. */
export async function findTaskOwner(
  parts: readonly HubPart[],
  taskId: string,
  params: JsonObject,
  identity: Identity,
): Promise<Owner> {
  for (const part of parts) {
    const owner = await part.ownerOfTask?.(taskId, params, identity);
    if (owner !== undefined) return owner;
  }
  return identity.owner;
}
