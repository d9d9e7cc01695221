import type { TaskState } from '@parley/protocol';
import { ownerKey } from '@parley/runtime';
import { isoTime } from '../contracts/session-fields.ts';
import type { MissedAgent } from '../heartbeats/heartbeats.ts';
import { ownerOfAgent, type AgentRecord } from '../identity/identity.ts';
import { controllerOf } from './handoff-access.ts';
import type { HandoffDesk } from './handoff-desk.ts';
import { handoffOf, offerTask } from './offer-task.ts';

const OPEN_STATES: readonly TaskState[] = [
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
  'TASK_STATE_WORKING',
  'TASK_STATE_SUBMITTED',
];
const MOST_TASKS = 20;

/**
 * Offers the open tasks of an agent that is missed to the other agents of its controller. Without a controller there is
 * nobody to offer them to. Done twice, it gives the same hand-offs.
 */
export async function offerTasksOfMissing(
  desk: HandoffDesk,
  agent: AgentRecord,
  { lastSeenAt }: MissedAgent,
): Promise<string[]> {
  if (controllerOf(agent) === undefined) return [];
  const { store } = desk.context;
  const owner = ownerKey(ownerOfAgent(agent.agentId));
  const pages = await Promise.all(
    OPEN_STATES.map((state) => store.listTasks({ owner, state, limit: MOST_TASKS })),
  );
  const handoffIds: string[] = [];
  for (const header of pages.flatMap(({ tasks }) => tasks).slice(0, MOST_TASKS)) {
    const outcome = await offerTask(desk, {
      header,
      agent,
      offeredBy: { kind: 'hub' },
      to: { kind: 'controller' },
      note: `${agent.agentId} missed its heartbeat; it was last heard of at ${isoTime(lastSeenAt)}.`,
    });
    handoffIds.push(handoffOf(outcome).handoffId);
  }
  return handoffIds;
}
