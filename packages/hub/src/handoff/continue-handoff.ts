import { isTerminal, type JsonObject } from '@holdword/protocol';
import { ownerFromKey } from '@holdword/runtime/internal';
import type { Continuation } from '../hub-part.ts';
import type { AgentRecord } from '../identity/identity.ts';
import { handoffIdOf, requireHandoff, type HandoffServices } from './handoff-services.ts';
import { handoffNotFound } from './handoff-errors.ts';
import { use } from './lease/transitions.ts';
import { changeAsHolder } from './require-lease.ts';

/**
 * Finds the destination of a message that names a hand-off: the task that was handed over, which keeps its owner (J9). The
 * sender must hold the lease. A failed task is never changed (J6), so a new task in its context refers to it.
 */
export async function continueHandoff(
  services: HandoffServices,
  params: JsonObject,
  agent: AgentRecord,
): Promise<Continuation | undefined> {
  if (handoffIdOf(params) === undefined) return undefined;
  const handoff = await requireHandoff(services, params, agent);
  const { taskId, contextId, continuedAs } = await changeAsHolder(services, handoff, agent, params, use);
  const currentId = continuedAs ?? taskId;
  const header = await services.context.store.readTask(currentId);
  if (header === undefined) throw handoffNotFound();
  const owner = ownerFromKey(header.owner);
  return {
    contextId,
    owner,
    ...(isTerminal(header.state) ? { referenceTaskIds: [currentId] } : { taskId: currentId }),
  };
}
