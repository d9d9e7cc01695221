import { hostname, userInfo } from 'node:os';
import { isTerminal } from '@holdword/protocol';
import { deleteTaskHere, noopLog, requestDeletion } from '@holdword/runtime/internal';
import { isStoreError, type Store } from '@holdword/store';
import { lockDataFolder } from '@holdword/store/internal';
import type { Command } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import { startObservation } from '../serving/start-observation.ts';
import { CommandError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { listTasksCommands } from './list-tasks.ts';
import { STORE_OPTIONS, type StoreContext, withExistingStore } from './with-store.ts';

const tasksDelete: Command = {
  ...listed('tasks delete'),
  details:
    'A task that has not ended is canceled first by the server that runs it: its turn is aborted, and its streams and push targets ' +
    'get the final event. Without a running server it is deleted too, and nobody is told. The events of the task are not read, ' +
    'so one that is damaged or too large to read can be deleted. The audit log names the task and who deleted it.',
  options: { ...JSON_OPTION, ...STORE_OPTIONS },
  examples: [
    {
      comment: 'Delete a task that the log says cannot be recovered',
      command: 'holdword tasks delete 0198f3c2-6f1d-7a40-b0f4-3f1f2d0c7e11',
    },
  ],
  page: 'guides/operate.md',
  async run(input) {
    const [taskId = ''] = input.operands;
    const told = await withExistingStore(input, 'tasks', (store, context) =>
      deleteTask(store, context, taskId),
    );
    printData(input, { taskId, deleted: true, told }, () => input.terminal.out(`Deleted task ${taskId}.\n`));
    if (!told) input.terminal.error(NOBODY_TOLD);
    return 0;
  },
};

const NOBODY_TOLD =
  'No server is running, so its push targets were not told. A program that works on it is ended at the next start of the server.\n';

/** Resolves with whether everybody who follows the task was told: a server did it, or it had ended before. */
async function deleteTask(store: Store, context: StoreContext, taskId: string): Promise<boolean> {
  if (store.retention === undefined) throw new CommandError(`The ${store.kind} store cannot delete tasks.`);
  const header = await store.readTask(taskId);
  if (header === undefined) {
    throw new CommandError(
      `There is no task ${taskId}. Check the id, and that --data and --store are those of the server.`,
    );
  }
  const by = operator();
  const mayBeServed = !(await isUnserved(context));
  if (mayBeServed && (await requestDeletion(store, taskId, by))) return true;
  const observation = await startObservation(context.config, context.location, noopLog);
  try {
    const holder = `holdword tasks delete ${process.pid}`;
    if (await deleteTaskHere({ store, observer: observation.observer, holder }, taskId, by))
      return isTerminal(header.state);
  } finally {
    await observation.close();
  }
  throw new CommandError(`Task ${taskId} keeps changing. Run the command again, or stop the server first.`);
}

/** Whether it is certain that no server uses the data. */
async function isUnserved({ location }: StoreContext): Promise<boolean> {
  if (location.kind !== 'sqlite') return location.kind === 'json-file';
  try {
    (await lockDataFolder(location.folder)).release();
    return true;
  } catch (error) {
    if (isStoreError(error)) return false;
    throw error;
  }
}

/** Who runs the command, for the audit log. */
function operator(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // The user has no name, as in some containers.
    return `uid ${process.getuid?.() ?? 'unknown'}@${hostname()}`;
  }
}

export const commands: readonly Command[] = [...listTasksCommands, tasksDelete];
