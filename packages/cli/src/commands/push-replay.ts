import { replayPushTargets } from '@holdword/runtime/internal';
import type { Command } from '../arguments/command.ts';
import { UsageError } from '../usage-error.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

export const pushReplay: Command = {
  name: 'push replay',
  summary:
    'Take up notifications of a task again that were given up; a running server begins within a second.',
  operands: ['TASK|all'],
  options: {
    target: { value: 'CONFIG', description: 'only the target with this id (default: all of the task)' },
    from: {
      value: 'N',
      description: 'send again from event N on, also what has arrived (default: only what was given up)',
    },
    ...STORE_OPTIONS,
  },
  async run(input) {
    const [taskId = ''] = input.operands;
    const { target: configId } = input.options;
    const from = readSequence(input.options['from']);
    if (taskId === 'all' && from !== undefined) {
      throw new UsageError('--from needs one task: its events are numbered by themselves.');
    }
    const replayed = await withExistingStore(input, 'push targets', (store) =>
      replayPushTargets(store, {
        ...(taskId !== 'all' && { taskId }),
        ...(configId !== undefined && { configId }),
        ...(from !== undefined && { from }),
      }),
    );
    for (const target of replayed) {
      input.terminal.out(
        `${target.taskId}  ${target.configId}  goes on with event ${target.delivered + 1}\n`,
      );
    }
    if (replayed.length === 0) {
      input.terminal.error(
        'There is nothing to take up. See what there is: holdword push status --state all\n',
      );
    }
    return 0;
  },
};

function readSequence(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const sequence = Number(text);
  if (Number.isSafeInteger(sequence) && sequence >= 1) return sequence;
  throw new UsageError(`--from: expected the number of an event, 1 or more, found "${text}".`);
}
