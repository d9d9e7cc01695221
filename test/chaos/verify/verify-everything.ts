import type { Task } from '@holdword/protocol';
import type { Ledger } from '../ledger.ts';
import type { Client } from '../wire/client.ts';
import { inParallel } from './in-parallel.ts';
import { verifyKeys } from './verify-keys.ts';
import { verifyTask } from './verify-task.ts';
import { verifyWaiting } from './verify-waiting.ts';

const TASKS_AT_ONCE = 6;
const PAGE_SIZE = 100;

/** Verifies every task of the server, even those that no client has heard of. Returns their number. */
export async function verifyEverything(client: Client, ledger: Ledger): Promise<number> {
  await verifyWaiting(client, ledger);
  const tasks = await listAll(client);
  const known = new Set(tasks.map((task) => task.id));
  for (const taskId of ledger.taskIds) {
    if (!known.has(taskId)) ledger.violations.push(`task ${taskId} is no longer listed`);
  }
  const taskOfMessage = new Map<string, string>();
  await inParallel(known, TASKS_AT_ONCE, async (taskId) => {
    const verified = await verifyTask(client, ledger, taskId);
    if (verified === undefined) return;
    // Every request has a unique message ID: two tasks that start with the same one are duplicates.
    const { firstMessageId } = verified;
    const other = taskOfMessage.get(firstMessageId);
    if (other !== undefined)
      ledger.violations.push(`${firstMessageId} created the tasks ${other} and ${taskId}`);
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
