import { listPushTargets, type PushTargetState, type PushTargetSummary } from '@holdword/runtime/internal';
import type { Command } from '../arguments/command.ts';
import { renderTable } from '../terminal/render-table.ts';
import { UsageError } from '../usage-error.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

const STATES: readonly PushTargetState[] = ['active', 'failing', 'dead', 'finished'];
const HEAD = ['TASK', 'CONFIG', 'URL', 'STATE', 'DELIVERED', 'FAILURES', 'NEXT ATTEMPT', 'LAST ERROR'];

export const pushStatus: Command = {
  name: 'push status',
  summary: 'Show push notification targets and how far delivery has come.',
  details:
    'A target is active, failing (being retried), dead (abandoned) or finished. DELIVERED is the last event that was delivered.',
  options: {
    state: {
      value: 'STATE',
      description: `Show only targets in this state: ${STATES.join(', ')} or all`,
      default: 'all except finished',
    },
    ...STORE_OPTIONS,
  },
  examples: [
    { comment: 'Show targets that are not finished', command: 'holdword push status' },
    { comment: 'Show targets that were abandoned', command: 'holdword push status --state dead' },
  ],
  page: 'guides/push-notifications.md',
  async run(input) {
    const wanted = readState(input.options['state']);
    const targets = await withExistingStore(input, 'push targets', listPushTargets);
    const shown = targets.filter(({ state }) => wanted.includes(state));
    if (shown.length > 0) input.terminal.out(`${renderTable(HEAD, shown.map(rowOf))}\n`);
    const counts = STATES.map((state) => `${count(targets, state)} ${state}`).join(', ');
    input.terminal.out(`Targets: ${counts}.\n`);
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

function count(targets: readonly PushTargetSummary[], wanted: PushTargetState): number {
  return targets.filter(({ state }) => state === wanted).length;
}
