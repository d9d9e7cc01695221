import type { JsonObject, Task } from '@holdword/protocol';
import type { AgentRecord } from '../identity/identity.ts';
import { handoffIdOf, viewNow, type HandoffDesk } from './handoff-desk.ts';

/** Takes note of the task that goes on where the offered one had failed. */
export async function noteProgress(
  desk: HandoffDesk,
  params: JsonObject,
  agent: AgentRecord,
  task: Task | undefined,
): Promise<JsonObject> {
  const handoffId = handoffIdOf(params);
  if (handoffId === undefined) return {};
  const changed = await desk.handoffs.change(handoffId, (current) => {
    if (task === undefined || task.id === (current.continuedAs ?? current.taskId)) return undefined;
    const lease = current.lease && { ...current.lease, usedAfter: 0 };
    return { ...current, continuedAs: task.id, ...(lease && { lease }) };
  });
  return changed === undefined ? {} : { handoff: await viewNow(desk, changed, agent) };
}
