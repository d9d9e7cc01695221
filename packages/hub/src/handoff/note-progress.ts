import type { JsonObject, Task } from '@holdword/protocol';
import type { AgentRecord } from '../identity/identity.ts';
import { handoffIdOf, viewNow, type HandoffServices } from './handoff-services.ts';

/** Records the new task that continues a failed one. */
export async function noteProgress(
  services: HandoffServices,
  params: JsonObject,
  agent: AgentRecord,
  task: Task | undefined,
): Promise<JsonObject> {
  const handoffId = handoffIdOf(params);
  if (handoffId === undefined) return {};
  const changed = await services.handoffs.change(handoffId, (current) => {
    if (task === undefined || task.id === (current.continuedAs ?? current.taskId)) return undefined;
    const lease = current.lease && { ...current.lease, usedAfter: 0 };
    return { ...current, continuedAs: task.id, ...(lease && { lease }) };
  });
  return changed === undefined ? {} : { handoff: await viewNow(services, changed, agent) };
}
