import { replayPushTargets } from '@holdword/runtime/internal';
import type { Command } from '../arguments/command.ts';
import { UsageError } from '../usage-error.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

export const pushReplay: Command = {
  name: 'push replay',
  summary: 'Retry push notifications that were abandoned.',
  details: 'A running server picks this up within a second.',
  operands: ['TASK|all'],
  options: {
    target: {
      value: 'CONFIG',
      description: 'Retry only the push configuration with this id',
      default: 'all of the task',
    },
    from: {
      value: 'N',
      description: 'Send again from event N, including events that were delivered',
      default: 'the first event that was not delivered',
    },
    ...STORE_OPTIONS,
  },
  examples: [
    { comment: 'Retry everything that was abandoned', command: 'holdword push replay all' },
    {
      comment: 'Send all events of a task again',
      command: 'holdword push replay 0198f3c2-6f1d-7a40-b0f4-3f1f2d0c7e11 --from 1',
    },
  ],
  page: 'guides/push-notifications.md',
  async run(input) {
    const [taskId = ''] = input.operands;
    const { target: configId } = input.options;
    const from = readSequence(input.options['from']);
    if (taskId === 'all' && from !== undefined) {
      throw new UsageError('--from needs a single task: events are numbered per task.');
    }
    const replayed = await withExistingStore(input, 'push targets', (store) =>
      replayPushTargets(store, {
        ...(taskId !== 'all' && { taskId }),
        ...(configId !== undefined && { configId }),
        ...(from !== undefined && { from }),
      }),
    );
    for (const target of replayed) {
      input.terminal.out(`${target.taskId}  ${target.configId}  resuming at event ${target.delivered + 1}\n`);
    }
    if (replayed.length === 0) {
      input.terminal.error(
        'There is nothing to retry. List all targets with: holdword push status --state all\n',
      );
    }
    return 0;
  },
};

function readSequence(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const sequence = Number(text);
  if (Number.isSafeInteger(sequence) && sequence >= 1) return sequence;
  throw new UsageError(`--from: expected an event number of at least 1, found "${text}".`);
}
