import type { Task } from '@holdword/protocol';
import { waitUntil } from '../../support/wait-until.ts';
import { isSettled } from '../journal/frame-state.ts';
import type { Client } from '../wire/client.ts';

/** How long after a restart a task may still be running. No turn of these campaigns takes more than a second. */
const BOUND_MILLISECONDS = 30_000;

/** The task as JSON once it has ended or waits for its user. */
export async function settle(client: Client, taskId: string): Promise<{ json: string; task: Task }> {
  return waitUntil(
    `task ${taskId} to end or to wait for its user`,
    async () => {
      const json = await client.getTask(taskId);
      const task = JSON.parse(json) as Task;
      return isSettled(task.status.state) ? { json, task } : undefined;
    },
    BOUND_MILLISECONDS,
  );
}
