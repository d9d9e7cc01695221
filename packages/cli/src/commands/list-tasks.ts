import { setTimeout as wait } from 'node:timers/promises';
import type { TaskState } from '@holdword/protocol';
import { shorten, taskStateSchema } from '@holdword/protocol/internal';
import { listPushTargets, ownerFromKey } from '@holdword/runtime/internal';
import type { Store, TaskHeader } from '@holdword/store';
import type { Command, CommandInput } from '../command-line/command.ts';
import { JSON_OPTION, printData, printTable } from '../command-line/json-output.ts';
import { durationIn, parseDuration } from '../command-line/parse-arguments.ts';
import { renderTable } from '../command-line/render-table.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

const PAGE_TASKS = 200;
const DEFAULT_LIMIT = '20';
/** As many as a screen has room for; all of them are counted. */
const TOP_TASKS = 15;
/** Targets whose task is read for how far they are behind. */
const MOST_TARGETS = 200;
const DEFAULT_EVERY = '2s';
const CLEAR_SCREEN = '\u001B[H\u001B[J';
const HEAD = ['TASK', 'STATE', 'OWNER', 'CONTEXT', 'EVENTS', 'CREATED', 'CHANGED'];

/** By the names that people write. */
const STATES: ReadonlyMap<string, TaskState> = new Map(
  taskStateSchema.options.map((state) => [stateName(state), state]),
);

function stateName(state: string): string {
  return state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
}

const tasksList: Command = {
  ...listed('tasks list'),
  details:
    'For operators: reads the data of the server, and shows the tasks of all owners, the newest first.',
  options: {
    state: { value: 'STATE', description: `Only tasks in this state: ${[...STATES.keys()].join(', ')}` },
    owner: { value: 'NAME', description: 'Only tasks of this caller, such as the name of an API key' },
    agent: { value: 'NAME', description: 'Only tasks of this agent of a hub' },
    context: { value: 'ID', description: 'Only tasks of this conversation' },
    since: { value: 'TIME', description: 'Only tasks created since then: 2h, or 2026-11-18T09:00Z' },
    until: { value: 'TIME', description: 'Only tasks created until then' },
    limit: { value: 'N', description: 'How many to show', default: DEFAULT_LIMIT },
    ...JSON_OPTION,
    ...STORE_OPTIONS,
  },
  examples: [
    { comment: 'Show the newest tasks', command: 'holdword tasks list' },
    { comment: 'Show what failed today', command: 'holdword tasks list --state failed --since 24h' },
  ],
  page: 'guides/operate.md',
  async run(input) {
    const matches = await filterOf(input);
    const limit = readLimit(input.options['limit'] ?? DEFAULT_LIMIT);
    const state = readState(input.options['state']);
    const tasks = await withExistingStore(input, 'tasks', (store) => collect(store, state, matches, limit));
    const none = 'There are no such tasks.';
    printTable(input, { tasks: tasks.map(dataOf) }, { head: HEAD, rows: tasks.map(rowOf), none });
    return 0;
  },
};

function readState(given: string | undefined): TaskState | undefined {
  if (given === undefined) return undefined;
  const state = STATES.get(given.toLowerCase());
  if (state !== undefined) return state;
  throw new UsageError(`--state: expected ${[...STATES.keys()].join(', ')}, found "${shorten(given, 40)}".`);
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError(`--limit: expected a number from 1 to 9999999, found "${shorten(text, 40)}".`);
}

/** A time, or how long ago it was. */
function readTime(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (durationIn(text) !== undefined) return Date.now() - parseDuration(text, option);
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(
    `${option}: expected 2h, 3d or a time such as 2026-11-18T09:00Z, found "${shorten(text, 40)}".`,
  );
}

type Filter = (header: TaskHeader) => boolean;

async function filterOf({ options }: CommandInput): Promise<Filter> {
  const { owner, agent, context } = options;
  const [since = -Infinity, until = Infinity] = [
    readTime(options['since'], '--since'),
    readTime(options['until'], '--until'),
  ];
  const ofAgent = agent === undefined ? undefined : await callerOfAgent(agent);
  return (header) =>
    header.createdAt >= since &&
    header.createdAt <= until &&
    (context === undefined || header.contextId === context) &&
    (owner === undefined || ownerOf(header) === owner) &&
    (ofAgent === undefined || callerOf(header) === ofAgent);
}

async function callerOfAgent(agent: string): Promise<string> {
  const { ownerOfAgent } = await import('@holdword/hub/internal');
  return ownerOfAgent(agent).caller;
}

function callerOf({ owner }: TaskHeader): string {
  return ownerFromKey(owner).caller;
}

/** The name of an API key is its caller, in the way that commands for keys show it. */
function ownerOf(header: TaskHeader): string {
  return callerOf(header).replace(/^key:/, '');
}

/** Tasks that match, page by page, until there are enough. */
async function collect(
  store: Store,
  state: TaskState | undefined,
  matches: Filter,
  limit: number,
): Promise<TaskHeader[]> {
  const found: TaskHeader[] = [];
  let before: string | undefined;
  do {
    const page = await store.listAllTasks({
      limit: PAGE_TASKS,
      ...(state !== undefined && { state }),
      ...(before !== undefined && { before }),
    });
    found.push(...page.tasks.filter(matches));
    before = page.nextCursor;
  } while (before !== undefined && found.length < limit);
  return found.slice(0, limit);
}

function rowOf(header: TaskHeader): string[] {
  const { taskId, state, contextId, lastSequence, createdAt, statusTime } = header;
  const [created, changed] = [createdAt, statusTime].map((time) => new Date(time).toISOString());
  return [
    taskId,
    stateName(state),
    shorten(ownerOf(header), 30),
    contextId,
    String(lastSequence),
    created ?? '',
    changed ?? '',
  ];
}

function dataOf(header: TaskHeader) {
  const { taskId, state, contextId, lastSequence, createdAt, statusTime } = header;
  return {
    taskId,
    state,
    owner: ownerOf(header),
    contextId,
    events: lastSequence,
    createdAt: new Date(createdAt).toISOString(),
    changedAt: new Date(statusTime).toISOString(),
  };
}

const tasksTop: Command = {
  ...listed('tasks top'),
  details: 'Refreshes on a terminal until Ctrl-C; elsewhere, and with --json, it prints one snapshot.',
  options: {
    every: { value: 'DURATION', description: 'How often to look', default: DEFAULT_EVERY },
    ...JSON_OPTION,
    ...STORE_OPTIONS,
  },
  examples: [
    { comment: 'Watch what a server does', command: 'holdword tasks top' },
    { comment: 'For a script', command: 'holdword tasks top --json' },
  ],
  page: 'guides/operate.md',
  async run(input) {
    const every = parseDuration(input.options['every'] ?? DEFAULT_EVERY, '--every');
    const { terminal } = input;
    const isLive = terminal.interactive !== undefined && input.options['json'] === undefined;
    await withExistingStore(input, 'tasks', async (store) => {
      if (!isLive) {
        const snapshot = await look(store);
        printData(input, snapshot, () => terminal.out(render(snapshot)));
        return;
      }
      const stopped = new AbortController();
      process.once('SIGINT', () => stopped.abort());
      while (!stopped.signal.aborted) {
        terminal.out(`${CLEAR_SCREEN}${render(await look(store))}\nCtrl-C to stop.\n`);
        await wait(every, undefined, { signal: stopped.signal }).catch(() => {});
      }
    });
    return 0;
  },
};

/** What goes on at one moment. */
interface Activity {
  readonly servers: number;
  readonly turns: { readonly running: number; readonly queued: number; readonly waiting: number };
  readonly push: {
    readonly behind: number;
    readonly events: number;
    readonly failing: number;
    readonly dead: number;
  };
  /** Those that changed last, first. */
  readonly tasks: readonly ReturnType<typeof dataOf>[];
}

async function look(store: Store): Promise<Activity> {
  const all = async (state: TaskState): Promise<TaskHeader[]> => collect(store, state, () => true, Infinity);
  const [running, queued] = [await all('TASK_STATE_WORKING'), await all('TASK_STATE_SUBMITTED')];
  const waiting = [...(await all('TASK_STATE_INPUT_REQUIRED')), ...(await all('TASK_STATE_AUTH_REQUIRED'))];
  const holders = await store.listHolders();
  return {
    servers: holders.filter(({ aliveMilliseconds }) => aliveMilliseconds > 0).length,
    turns: { running: running.length, queued: queued.length, waiting: waiting.length },
    push: await pushLag(store),
    tasks: [...running, ...queued]
      .toSorted((a, b) => b.statusTime - a.statusTime)
      .slice(0, TOP_TASKS)
      .map(dataOf),
  };
}

/** How many events are not delivered yet. */
async function pushLag(store: Store): Promise<Activity['push']> {
  const open = (await listPushTargets(store)).filter(({ state }) => state !== 'finished');
  const lags = await Promise.all(
    open.slice(0, MOST_TARGETS).map(async ({ taskId, delivered }) => {
      const header = await store.readTask(taskId);
      return Math.max(0, (header?.lastSequence ?? delivered) - delivered);
    }),
  );
  return {
    behind: lags.filter((lag) => lag > 0).length,
    events: lags.reduce((sum, lag) => sum + lag, 0),
    failing: open.filter(({ state }) => state === 'failing').length,
    dead: open.filter(({ state }) => state === 'dead').length,
  };
}

function render({ servers, turns, push, tasks }: Activity): string {
  const lines = [
    `servers  ${servers} alive`,
    `turns    ${turns.running} running, ${turns.queued} queued, ${turns.waiting} waiting for their user`,
    `push     ${push.behind} behind (${push.events} events), ${push.failing} failing, ${push.dead} dead`,
  ];
  const rows = tasks.map(({ taskId, state, owner, events, changedAt }) => [
    taskId,
    stateName(state),
    shorten(owner, 30),
    String(events),
    changedAt,
  ]);
  const table =
    rows.length === 0 ? '' : `\n${renderTable(['TASK', 'STATE', 'OWNER', 'EVENTS', 'CHANGED'], rows)}`;
  return `${lines.join('\n')}\n${table}`;
}

export const listTasksCommands: readonly Command[] = [tasksList, tasksTop];
