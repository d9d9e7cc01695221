import type { StoreStatus } from '@holdword/store';
import type { Command } from '../arguments/command.ts';
import { describeLocation } from '../serving/store-location.ts';
import { renderBytes } from '../terminal/render-bytes.ts';
import { requireCurrentVersion, withAdministration } from './with-administration.ts';
import { STORE_OPTIONS } from './with-store.ts';

export const dbStatus: Command = {
  name: 'db status',
  summary: 'Show what the database holds, its size and the servers that use it.',
  details: 'Safe while servers are running.',
  options: STORE_OPTIONS,
  examples: [
    { comment: 'Show the data in .holdword', command: 'holdword db status' },
    { comment: 'Show another data folder', command: 'holdword db status --data /var/lib/holdword' },
  ],
  page: 'guides/operate.md',
  async run(input) {
    const rows = await withAdministration(input, async (administration, location) => {
      const version = await requireCurrentVersion(administration, location);
      return [
        ['data', describeLocation(location)],
        ...describeStatus(await administration.status()),
        ['tables', `version ${version}, up to date`],
      ];
    });
    for (const [label = '', value] of rows) input.terminal.out(`${label.padEnd(7)}  ${value}\n`);
    return 0;
  },
};

function describeStatus({ tasks, events, sizes, processes }: StoreStatus): string[][] {
  const total = tasks.reduce((sum, { count }) => sum + count, 0);
  const states = tasks.map(({ state, count }) => `${count} ${stateName(state)}`);
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  const parts = sizes.map((size) => `${size.name} ${renderBytes(size.bytes)}`);
  const live = processes.filter(({ secondsLeft }) => secondsLeft > 0);
  const held = live.reduce((sum, { heldTasks }) => sum + heldTasks, 0);
  return [
    ['tasks', [String(total), ...states].join(', ')],
    ['events', String(events)],
    ['size', `${renderBytes(bytes)}: ${parts.join(', ')}`],
    [
      'servers',
      live.length === 0 ? 'none' : `${live.length} running, holding ${held} ${held === 1 ? 'task' : 'tasks'}`,
    ],
  ];
}

function stateName(state: string): string {
  return state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
}
