import type * as HubModule from '@holdword/hub/internal';
import { noopLog } from '@holdword/runtime/internal';
import type { Command, CommandInput, OptionDescription } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import { renderTable } from '../command-line/render-table.ts';
import { hubSettings } from '../serving/embedded-hub.ts';
import { startObservation } from '../serving/start-observation.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

/** The kinds of records, and how they are shown. */
interface Kind {
  readonly list: 'agents' | 'sessions' | 'handoffs' | 'alarms';
  readonly one: 'agent' | 'session' | 'handoff' | 'alarm';
  readonly columns: Readonly<Record<string, string>>;
  /** By the name of the option: the field that it filters by. */
  readonly filters: Readonly<Record<string, string>>;
  readonly example: string;
}

const STATUS_FILTER = { status: 'status' };
const AGENT_FILTER = { agent: 'agent_id' };

const KINDS: readonly Kind[] = [
  {
    list: 'agents',
    one: 'agent',
    columns: {
      AGENT: 'agent_id',
      STATUS: 'status',
      HEALTH: 'health',
      'LAST SEEN': 'last_seen_at',
      ERRORS: 'errors_last_hour',
      'P95 MS': 'latency_ms_p95',
      QUEUE: 'queue_depth',
      CONTROLLER: 'controller_id',
      'REGISTERED BY': 'registered_by',
    },
    filters: { ...STATUS_FILTER, health: 'health', controller: 'controller_id' },
    example: '--health missing',
  },
  {
    list: 'sessions',
    one: 'session',
    columns: {
      SESSION: 'session_id',
      AGENT: 'agent_id',
      STATUS: 'status',
      STARTED: 'started_at',
      'LAST USED': 'last_used_at',
      EXPIRES: 'expires_at',
    },
    filters: { ...AGENT_FILTER, ...STATUS_FILTER },
    example: '--agent runner-01',
  },
  {
    list: 'handoffs',
    one: 'handoff',
    columns: {
      'HAND-OFF': 'handoff_id',
      STATUS: 'status',
      AGENT: 'agent_id',
      'OFFERED BY': 'offered_by',
      'HELD BY': 'held_by',
      CREATED: 'created_at',
      EXPIRES: 'expires_at',
      TASK: 'task_id',
    },
    filters: { ...AGENT_FILTER, ...STATUS_FILTER },
    example: '--status open',
  },
  {
    list: 'alarms',
    one: 'alarm',
    columns: {
      ALARM: 'alarm_id',
      TYPE: 'type',
      AGENT: 'agent_id',
      'LAST SEEN': 'last_seen_at',
      NOTICED: 'noticed_at',
      DELIVERY: 'delivery',
    },
    filters: { ...AGENT_FILTER, type: 'type' },
    example: '--agent runner-01',
  },
];

const OPERATOR = { isOperator: true } as const;
const PAGE = 'guides/hub.md';

type Fields = Readonly<Record<string, unknown>>;
type Use<T> = (hub: typeof HubModule, records: HubModule.HubRecords, audit: Audit) => Promise<T>;
/** Writes to the audit log of the server that a command changed an agent. */
type Audit = (event: string, agentId: string) => Promise<void>;

/** Opens the records of the hub in the store of the server, even while the server is running. */
async function withHub<T>(input: CommandInput, use: Use<T>): Promise<T> {
  // The hub is a lot of code, which help does not need.
  const hub = await import('@holdword/hub/internal');
  const { DEFAULT_HUB_SETTINGS } = await import('@holdword/hub/internal/settings');
  return withExistingStore(input, 'agents', async (store, { config, location }) => {
    const settings = { ...DEFAULT_HUB_SETTINGS, ...(await hubSettings(config)) };
    const quiet = { ...config, metrics: { ...config.metrics, enabled: false }, logLevel: 'error' as const };
    return use(hub, hub.openHubRecords(store, settings), async (event, agent) => {
      const observation = await startObservation(quiet, location, noopLog);
      const about = { by: 'command line' };
      observation.observer.fallbackActed?.({ event, ownerKey: undefined, agent, peer: undefined, about });
      await observation.close();
    });
  });
}

function listCommand(kind: Kind): Command {
  const { list, columns, filters, example } = kind;
  const name = `hub ${list} list` as const;
  return {
    ...listed(name),
    details: 'Reads the data of the server, which may be running.',
    options: {
      ...Object.fromEntries(Object.keys(filters).map((filter) => [filter, filterOption(filter)])),
      limit: { value: 'N', description: 'How many to show, up to 200', default: '50' },
      cursor: { value: 'CURSOR', description: 'Continue after the previous page' },
      ...JSON_OPTION,
      ...STORE_OPTIONS,
    },
    examples: [
      { comment: 'Show the first ones', command: `holdword ${name}` },
      { comment: 'Show some of them', command: `holdword ${name} ${example}` },
    ],
    page: PAGE,
    async run(input) {
      const { readQuery } = await import('@holdword/hub/internal');
      const byField = new Map(
        Object.entries(filters).map(([option, field]) => [field, input.options[option]]),
      );
      const query = asUsage(() => readQuery(list, (field) => byField.get(field) ?? input.options[field]));
      const { items, nextCursor } = await withHub(input, async (hub, records) =>
        new hub.HubDirectory(records)[list](OPERATOR, query),
      );
      const rows: readonly Fields[] = items;
      printData(input, { [list]: rows, next_cursor: nextCursor }, () => {
        if (rows.length === 0) input.terminal.error(`There are no ${list} to show.\n`);
        else input.terminal.out(coloured(input, columns, rows));
      });
      if (nextCursor !== null && input.options['json'] === undefined)
        input.terminal.error(`There may be more: add --cursor ${nextCursor}\n`);
      return 0;
    },
  };
}

function filterOption(filter: string): OptionDescription {
  return { value: filter.toUpperCase(), description: `Only those with this ${filter}`, default: 'any' };
}

/** The message of an invalid filter is made for both, REST and this. */
function asUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Error ? new UsageError(error.message, { cause: error }) : error;
  }
}

const ALARMING: Readonly<Record<string, 'red' | 'yellow'>> = {
  blocked: 'red',
  missing: 'red',
  'agent.heartbeat_missed': 'red',
  abandoned: 'red',
  incident: 'yellow',
};

/** A table whose lines have a colour on a terminal if something is wrong. */
function coloured({ terminal }: CommandInput, columns: Kind['columns'], rows: readonly Fields[]): string {
  const fields = Object.values(columns);
  const cells = rows.map((row) => fields.map((field) => cellOf(field, row)));
  const [head = '', ...lines] = renderTable(Object.keys(columns), cells).trimEnd().split('\n');
  const toned = lines.map((line, index) => {
    const tone = (cells[index] ?? []).map((cell) => ALARMING[cell]).find((each) => each !== undefined);
    return tone === undefined ? line : terminal.style(tone, line);
  });
  return `${[terminal.style('bold', head), ...toned].join('\n')}\n`;
}

function cellOf(field: string, row: Fields): string {
  const value = field === 'held_by' ? (row['lease'] as Fields | null)?.['agent_id'] : row[field];
  return textOf(value);
}

/** What agents wrote must not control the terminal. */
const CONTROL_CHARACTERS = /\p{Cc}/gu;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(CONTROL_CHARACTERS, '\u{FFFD}');
}

function showCommand(kind: Kind): Command {
  const { list, one } = kind;
  const name = `hub ${list} show` as const;
  return {
    ...listed(name),
    options: { ...JSON_OPTION, ...STORE_OPTIONS },
    examples: [
      {
        comment: 'Show everything that is known of it',
        command: `holdword ${name} ${one === 'agent' ? 'runner-01' : 'ID'}`,
      },
    ],
    page: PAGE,
    async run(input) {
      const [id = ''] = input.operands;
      const found = await withHub(input, async (hub, records) => {
        const directory = new hub.HubDirectory(records);
        const shown: Fields | undefined = await directory[one](OPERATOR, id);
        if (shown === undefined) throw notFound(one, id);
        return one === 'agent' ? { ...shown, series: await directory.heartbeats(OPERATOR, id) } : shown;
      });
      printData(input, found, () => input.terminal.out(details(found)));
      return 0;
    },
  };
}

/** One line per field, then the hours of an agent's heartbeats as a table. */
function details({ series, ...fields }: Fields): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  const lines = Object.entries(fields).map(([name, value]) =>
    `${name.padEnd(width)}  ${textOf(value)}`.trimEnd(),
  );
  const { hours = [] } = (series ?? {}) as { hours?: readonly Fields[] };
  const table = hours.map((hour) => Object.values(hour).map(textOf));
  const shown = `${lines.join('\n')}\n`;
  return table.length === 0
    ? shown
    : `${shown}\n${renderTable(['HOUR', 'HEARTBEATS', 'ERRORS', 'P95 MS', 'QUEUE'], table)}`;
}

function notFound(kind: string, id: string): CommandError {
  return new CommandError(
    `There is no ${kind} ${id}. Check the id, and that --data and --store are those of the server.`,
  );
}

interface Change {
  readonly name: 'hub agents block' | 'hub agents unblock' | 'hub agents delete';
  readonly event: string;
  readonly done: string;
  readonly details: string;
}

const CHANGES: readonly Change[] = [
  {
    name: 'hub agents block',
    event: 'agent-blocked',
    done: 'Blocked',
    details:
      'Its token is refused from the next request on, its leases are released, and it is no longer watched. Only an operator can unblock it.',
  },
  {
    name: 'hub agents unblock',
    event: 'agent-unblocked',
    done: 'Unblocked',
    details: 'Its token works again.',
  },
  {
    name: 'hub agents delete',
    event: 'agent-deleted',
    done: 'Deleted',
    details:
      'Its tasks stay, and its name stays reserved: only the API key that registered it, or an operator, can register it again.',
  },
];

function changeCommand({ name, event, done, details: about }: Change): Command {
  return {
    ...listed(name),
    details: `${about} A server on SQLite or PostgreSQL may be running.`,
    options: {
      ...(name !== 'hub agents unblock' && {
        reason: { value: 'TEXT', description: 'Why, for other operators' },
      }),
      ...JSON_OPTION,
      ...STORE_OPTIONS,
    },
    examples: [{ comment: 'Change one agent', command: `holdword ${name} runner-01` }],
    page: PAGE,
    async run(input) {
      const [agentId = ''] = input.operands;
      const { reason } = input.options;
      const mark = { at: Date.now(), byOperator: true, ...(reason !== undefined && { reason }) };
      const { ended } = await withHub(input, async (hub, records, audit) => {
        if ((await records.identities.find(agentId)) === undefined) throw notFound('agent', agentId);
        const changes = {
          'hub agents block': () => hub.blockAgent(records, agentId, mark),
          'hub agents unblock': () => hub.unblockAgent(records, agentId),
          'hub agents delete': () => hub.deleteAgent(records, agentId, mark),
        };
        const changed = await changes[name]();
        await audit(event, agentId);
        return changed;
      });
      const handoffs = ended.map(({ handoffId }) => handoffId);
      printData(input, { agent_id: agentId, event, ended_handoffs: handoffs }, () => {
        const more =
          handoffs.length === 0 ? '' : ` Hand-offs that ended or were released: ${handoffs.length}.`;
        input.terminal.out(`${done} agent ${agentId}.${more}\n`);
      });
      return 0;
    },
  };
}

const rotate: Command = {
  ...listed('hub agents rotate'),
  details: 'The new token is printed once; the old one no longer works.',
  options: { ...JSON_OPTION, ...STORE_OPTIONS },
  examples: [{ comment: 'Replace a token that was lost', command: 'holdword hub agents rotate runner-01' }],
  page: PAGE,
  async run(input) {
    const [agentId = ''] = input.operands;
    const token = await withHub(input, async (hub, { identities }, audit) => {
      const agent = await identities.find(agentId);
      if (agent === undefined || agent.deleted !== undefined) throw notFound('agent', agentId);
      const rotated = await hub.rotateToken(identities, agent);
      await audit('agent-token-rotated', agentId);
      return rotated;
    });
    printData(input, { agent_id: agentId, token }, () => input.terminal.out(`${token}\n`));
    input.terminal.error(`Rotated the token of agent ${agentId}. The new token is not shown again.\n`);
    return 0;
  },
};

/** The commands for operators of a hub, in the order of the overview. */
export const hubRecordCommands: readonly Command[] = KINDS.flatMap((kind) => [
  listCommand(kind),
  showCommand(kind),
  ...(kind.list === 'agents' ? [...CHANGES.map(changeCommand), rotate] : []),
]);
