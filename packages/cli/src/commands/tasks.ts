import { isTerminal } from '@holdword/protocol';
import { endTask, removeTask } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import type { Command } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import { CommandError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

const END = { state: 'TASK_STATE_CANCELED', text: 'The operator deleted the task.' } as const;

const tasksDelete: Command = {
  ...listed('tasks delete'),
  details:
    'A task that has not ended is canceled first. Its events are not read, so a task that is damaged or too large to read can be deleted. ' +
    'A server on SQLite or PostgreSQL may be running.',
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
    await withExistingStore(input, 'tasks', (store) => deleteTask(store, taskId));
    printData(input, { taskId, deleted: true }, () => input.terminal.out(`Deleted task ${taskId}.\n`));
    return 0;
  },
};

/** A running server may change the task at the same time. */
const MOST_ATTEMPTS = 5;

async function deleteTask(store: Store, taskId: string): Promise<void> {
  const { retention } = store;
  if (retention === undefined) throw new CommandError(`The ${store.kind} store cannot delete tasks.`);
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const header = await store.readTask(taskId);
    if (header === undefined) {
      throw new CommandError(
        `There is no task ${taskId}. Check the id, and that --data and --store are those of the server.`,
      );
    }
    const ending = {
      store,
      holder: `holdword tasks delete ${process.pid}`,
      includeSequence: true,
      force: true,
    };
    const hasEnded = isTerminal(header.state) || (await endTask(ending, header, END));
    if (hasEnded && (await removeTask({ store, retention }, taskId))) return;
  }
  throw new CommandError(`Task ${taskId} keeps changing. Run the command again, or stop the server first.`);
}

export const commands: readonly Command[] = [tasksDelete];
