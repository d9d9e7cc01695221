import type { HandoffServices } from '../handoff/handoff-access.ts';
import { handoffOf, listOpenTasks, offerTask } from '../handoff/offer-task.ts';
import type { MissedAgent } from '../heartbeats/heartbeats.ts';
import { controllerOf, type AgentRecord } from '../identity/identity.ts';
import { isoTime } from '../wire/times.ts';

const MAX_TASKS = 20;

/**
 * Offers the open tasks of a missing agent to the other agents of its controller; does nothing without a controller.
 * Idempotent: repeating it returns the same hand-offs.
 */
export async function offerTasksOfMissing(
  services: HandoffServices,
  agent: AgentRecord,
  { lastSeenAt }: MissedAgent,
): Promise<string[]> {
  if (controllerOf(agent) === undefined) return [];
  const handoffIds: string[] = [];
  for (const header of await listOpenTasks(services.context.store, agent.agentId, MAX_TASKS)) {
    const outcome = await offerTask(services, {
      header,
      agent,
      offeredBy: { kind: 'hub' },
      to: { kind: 'controller' },
      note: `${agent.agentId} missed its heartbeat; it was last seen at ${isoTime(lastSeenAt)}.`,
    });
    const handoff = handoffOf(outcome);
    if (handoff !== undefined) handoffIds.push(handoff.handoffId);
  }
  return handoffIds;
}
