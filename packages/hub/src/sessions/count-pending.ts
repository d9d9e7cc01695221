import type { TaskState } from '@holdword/protocol';
import type { Operations, Owner } from '@holdword/runtime';
import { operationContext } from '../operation-context.ts';

const PENDING: readonly TaskState[] = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
];

/** Counts the tasks of a session that have not ended, without reading them. */
export async function countPending(
  operations: Pick<Operations, 'listTasks'>,
  sessionId: string,
  owner: Owner,
): Promise<number> {
  const pages = await Promise.all(
    PENDING.map((status) =>
      operations.listTasks({ contextId: sessionId, status, pageSize: 1 }, operationContext(owner)),
    ),
  );
  return pages.reduce((sum, { totalSize }) => sum + (totalSize ?? 0), 0);
}
