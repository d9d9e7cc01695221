import {
  listPushTargets,
  replayPushTargets,
  type PushTargetState,
  type PushTargetSummary,
} from '@holdword/runtime/internal';
import type { Command } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import { renderTable } from '../command-line/render-table.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

const STATES: readonly PushTargetState[] = ['active', 'failing', 'dead', 'finished'];
const HEAD = ['TASK', 'CONFIG', 'URL', 'STATE', 'DELIVERED', 'FAILURES', 'NEXT ATTEMPT', 'LAST ERROR'];

const pushStatus: Command = {
  ...listed('push status'),
  details:
    'A target is active, failing (being retried), dead (abandoned) or finished. DELIVERED is the last event that was delivered.',
  options: {
    state: {
      value: 'STATE',
      description: `Show only targets in this state: ${STATES.join(', ')} or all`,
      default: 'all except finished',
    },
    ...JSON_OPTION,
    ...STORE_OPTIONS,
  },
  examples: [
    { comment: 'Show targets that are not finished', command: 'holdword push status' },
    { comment: 'Show targets that were abandoned', command: 'holdword push status --state dead' },
  ],
  page: 'guides/push-notifications.md',
  async run(input) {
    const wanted = readState(input.options['state']);
    const targets = await withExistingStore(input, 'push targets', (store) => listPushTargets(store));
    const shown = targets.filter(({ state }) => wanted.includes(state));
    const counts = STATES.map((state) => [state, count(targets, state)] as const);
    printData(input, { targets: shown.map(dataOf), counts: Object.fromEntries(counts) }, () => {
      if (shown.length > 0) input.terminal.out(`${renderTable(HEAD, shown.map(rowOf))}\n`);
      input.terminal.out(`Targets: ${counts.map(([state, total]) => `${total} ${state}`).join(', ')}.\n`);
    });
    if (count(targets, 'dead') > 0) {
      input.terminal.error(
        'Retry dead targets with: holdword push replay TASK, or holdword push replay all\n',
      );
    }
    return 0;
  },
};

function readState(given: string | undefined): readonly PushTargetState[] {
  if (given === undefined) return STATES.filter((state) => state !== 'finished');
  if (given === 'all') return STATES;
  const state = STATES.find((name) => name === given);
  if (state !== undefined) return [state];
  throw new UsageError(`--state: expected ${STATES.join(', ')} or all, found "${given}".`);
}

function rowOf(target: PushTargetSummary): string[] {
  const { taskId, configId, url, state, delivered, attempts, nextAttemptAt, error = '' } = target;
  const next = nextAttemptAt === undefined ? '' : new Date(nextAttemptAt).toISOString();
  return [taskId, configId, url, state, String(delivered), String(attempts), next, error];
}

/** Under the names of the table, with times as all commands print them. */
function dataOf({ attempts, nextAttemptAt, deadSince, ...target }: PushTargetSummary) {
  return {
    ...target,
    failures: attempts,
    ...(nextAttemptAt !== undefined && { nextAttemptAt: new Date(nextAttemptAt).toISOString() }),
    ...(deadSince !== undefined && { deadSince: new Date(deadSince).toISOString() }),
  };
}

function count(targets: readonly PushTargetSummary[], wanted: PushTargetState): number {
  return targets.filter(({ state }) => state === wanted).length;
}

const pushReplay: Command = {
  ...listed('push replay'),
  details: 'A running server picks this up within a second.',
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
    ...JSON_OPTION,
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
    const replayed = await withExistingStore(input, 'push targets', async (store) => {
      const isMeant = (target: PushTargetSummary): boolean =>
        target.taskId === taskId && (configId === undefined || target.configId === configId);
      if (taskId !== 'all' && !(await listPushTargets(store)).some(isMeant)) {
        const which = configId === undefined ? 'no push targets' : `no push target "${configId}"`;
        throw new CommandError(
          `Task ${taskId} has ${which}. List all targets with: holdword push status --state all`,
        );
      }
      return replayPushTargets(store, {
        ...(taskId !== 'all' && { taskId }),
        ...(configId !== undefined && { configId }),
        ...(from !== undefined && { from }),
      });
    });
    printData(input, { targets: replayed.map(resumedTarget) }, () => {
      for (const { taskId: task, configId: config, nextEvent } of replayed.map(resumedTarget)) {
        input.terminal.out(`${task}  ${config}  resuming at event ${nextEvent}\n`);
      }
    });
    if (from !== undefined && replayed.some(({ delivered }) => delivered + 1 < from)) {
      input.terminal.error(`The task has no event ${from} yet, so nothing is sent again.\n`);
    }
    if (replayed.length === 0) {
      input.terminal.error(
        'There is nothing to retry. List all targets with: holdword push status --state all\n',
      );
    }
    return 0;
  },
};

function resumedTarget(target: { taskId: string; configId: string; delivered: number }) {
  const { taskId, configId, delivered } = target;
  return { taskId, configId, nextEvent: delivered + 1 };
}

function readSequence(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const sequence = Number(text);
  if (Number.isSafeInteger(sequence) && sequence >= 1) return sequence;
  throw new UsageError(`--from: expected an event number of at least 1, found "${text}".`);
}

export const commands: readonly Command[] = [pushStatus, pushReplay];
