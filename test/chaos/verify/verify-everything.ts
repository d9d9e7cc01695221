import type { Task } from '@holdword/protocol';
import type { Ledger } from '../ledger.ts';
import type { Client } from '../wire/client.ts';
import { inParallel } from './in-parallel.ts';
import { verifyKeys } from './verify-keys.ts';
import { verifyTask } from './verify-task.ts';
import { verifyWaiting } from './verify-waiting.ts';

const TASKS_AT_ONCE = 6;
const PAGE_SIZE = 100;

/** Verifies every task the server has, also those that no client was ever told of. Returns how many there are. */
export async function verifyEverything(client: Client, ledger: Ledger): Promise<number> {
  await verifyWaiting(client, ledger);
  const tasks = await listAll(client);
  const known = new Set(tasks.map((task) => task.id));
  for (const taskId of ledger.taskIds) {
    if (!known.has(taskId)) ledger.violations.push(`task ${taskId} is not listed any more`);
  }
  const taskOfMessage = new Map<string, string>();
  await inParallel(known, TASKS_AT_ONCE, async (taskId) => {
    const verified = await verifyTask(client, ledger, taskId);
    if (verified === undefined) return;
    // Every intent is sent under a message id of its own: two tasks that begin with the same one are a duplicate.
    const { firstMessageId } = verified;
    const other = taskOfMessage.get(firstMessageId);
    if (other !== undefined)
      ledger.violations.push(`${firstMessageId} made the tasks ${other} and ${taskId}`);
    taskOfMessage.set(firstMessageId, taskId);
  });
  await verifyKeys(client, ledger, ledger.keys);
  return tasks.length;
}

async function listAll(client: Client): Promise<Task[]> {
  const tasks: Task[] = [];
  let pageToken = '';
  do {
    const page = await client.listTasks({ pageSize: PAGE_SIZE, ...(pageToken !== '' && { pageToken }) });
    tasks.push(...page.tasks);
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return tasks;
}
