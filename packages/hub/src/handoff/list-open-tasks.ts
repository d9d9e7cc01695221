import type { TaskState } from '@holdword/protocol';
import { ownerKey } from '@holdword/runtime/internal';
import type { Store, TaskHeader } from '@holdword/store';
import { ownerOfAgent } from '../identity/identity.ts';

const OPEN_STATES: readonly TaskState[] = [
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
  'TASK_STATE_WORKING',
  'TASK_STATE_SUBMITTED',
];

/** The tasks of an agent that have not ended, most recently changed first. */
export async function listOpenTasks(store: Store, agentId: string, limit: number): Promise<TaskHeader[]> {
  const owner = ownerKey(ownerOfAgent(agentId));
  const pages = await Promise.all(OPEN_STATES.map((state) => store.listTasks({ owner, state, limit })));
  return pages
    .flatMap(({ tasks }) => tasks)
    .toSorted((left, right) => right.statusTime - left.statusTime)
    .slice(0, limit);
}
