import { READERS } from '@holdword/client/internal';
import type { ListTasksRequest } from '@holdword/protocol';
import { asObject, taskStateSchema } from '@holdword/protocol/internal';
import { CALL_OPTIONS, STREAM_OPTION, WAIT_OPTIONS } from '../calling/call-options.ts';
import { reportMisuse, runCall, waitOptions } from '../calling/run-call.ts';
import type { NewEvent } from '../calling/seen-task.ts';
import { adviseAfter, warnOfOutcome } from '../calling/task-advice.ts';
import { field, idLines, stateOf, taskText } from '../calling/task-text.ts';
import { waitForTask } from '../calling/wait-for-task.ts';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { showEvent } from './send.ts';
import { commands as downloadCommands } from './task-download.ts';
import { commands as forkCommands } from './task-fork.ts';
import { commands as pushConfigCommands } from './task-push-config.ts';
import { listen } from './task-push-listen.ts';

const PAGE = 'guides/talk-to-an-agent.md';
const EXAMPLE_ID = '0198f3c2-6f1d-7a40-b0f4-3f1f2d0c7e11';

const taskGet: Command = {
  ...listed('task get'),
  misused: reportMisuse,
  details: 'With --wait, waits until it has ended or asks something.',
  options: {
    ...CALL_OPTIONS,
    ...STREAM_OPTION,
    wait: { description: 'Wait until the task has ended or asks something' },
    ...WAIT_OPTIONS,
    history: { value: 'N', description: 'How many of the newest messages to get', default: 'all' },
  },
  examples: [
    { comment: 'See a task', command: `holdword task get ${EXAMPLE_ID} -a localhost:4310` },
    { comment: 'Wait for its end', command: `holdword task get ${EXAMPLE_ID} -a localhost:4310 --wait` },
  ],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const { print, isVerbose, diagnostics, progress } = call;
      const [id = ''] = input.operands;
      const historyLength = readCount(input.options['history'], '--history');
      const agent = await call.open();
      let task: unknown;
      if (input.options['wait'] === 'true') {
        progress.taskId = id;
        task = await waitForTask(agent, id, waitOptions(call));
      }
      if (task === undefined || historyLength !== undefined) {
        const request = { id, ...(historyLength !== undefined && { historyLength }) };
        task = await agent.call('getTask', request, call.signal);
      }
      print(task, () => taskText(task, { isVerbose }) + adviseAfter(agent, task));
      warnOfOutcome(diagnostics, task);
    }),
};

const taskCancel: Command = {
  ...listed('task cancel'),
  misused: reportMisuse,
  options: CALL_OPTIONS,
  examples: [{ comment: 'Stop a task', command: `holdword task cancel ${EXAMPLE_ID} -a localhost:4310` }],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const agent = await call.open();
      const task = await agent.call('cancelTask', { id: input.operands[0] ?? '' }, call.signal);
      call.print(task, () => taskText(task, call));
    }),
};

const taskSubscribe: Command = {
  ...listed('task subscribe'),
  misused: reportMisuse,
  details:
    'Prints events with --stream, and the task at the end without it. A lost connection is opened again.',
  options: { ...CALL_OPTIONS, ...STREAM_OPTION, ...WAIT_OPTIONS },
  examples: [
    {
      comment: 'Follow a task that another command began',
      command: `holdword task subscribe ${EXAMPLE_ID} -a localhost:4310 --stream`,
    },
  ],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const { print, isVerbose, isStreaming, diagnostics, progress } = call;
      const [id = ''] = input.operands;
      const agent = await call.open();
      progress.taskId = id;
      const task = await waitForTask(agent, id, {
        ...waitOptions(call),
        passesQuestion: true,
        ...(isStreaming && { onEvent: (event: NewEvent) => showEvent(call, event) }),
      });
      if (!isStreaming) print(task, () => taskText(task, { isVerbose }) + adviseAfter(agent, task));
      warnOfOutcome(diagnostics, task);
    }),
};

const taskList: Command = {
  ...listed('task list'),
  misused: reportMisuse,
  options: {
    ...CALL_OPTIONS,
    ...STREAM_OPTION,
    status: { value: 'STATE', description: 'Only tasks in this state, such as completed or input-required' },
    'context-id': {
      value: 'ID',
      description: 'Only tasks of this conversation',
      environment: 'A2ACLI_CONTEXT_ID',
    },
    'page-size': { value: 'N', description: 'How many tasks to list at most', default: '50' },
    'page-token': { value: 'TOKEN', description: 'Where the page before it ended' },
  },
  examples: [
    { comment: 'See your tasks, the newest first', command: 'holdword task list -a localhost:4310' },
    {
      comment: 'Those that wait for you',
      command: 'holdword task list -a localhost:4310 --status input-required',
    },
  ],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const { settings, isJson, isStreaming, print } = call;
      const { options } = input;
      const pageSize = readCount(options['page-size'], '--page-size');
      const request: ListTasksRequest = {
        ...(options['status'] !== undefined && { status: readState(options['status']) }),
        ...(settings.text('context-id') !== undefined && { contextId: settings.text('context-id') }),
        ...(pageSize !== undefined && { pageSize }),
        ...(options['page-token'] !== undefined && { pageToken: options['page-token'] }),
      };
      const agent = await call.open();
      const answer = await agent.call('listTasks', request, call.signal);
      const tasks = asObject(answer)['tasks'];
      if (isJson && isStreaming) {
        for (const task of Array.isArray(tasks) ? tasks : []) print(task, () => '');
      } else {
        print(answer, () => listText(answer, Array.isArray(tasks) ? tasks : []));
      }
    }),
};

function listText(answer: unknown, tasks: readonly unknown[]): string {
  const { nextPageToken, totalSize } = READERS.taskPage(answer);
  const blocks = tasks.map((json) => {
    const task = READERS.task(json);
    const { timestamp } = task.status;
    return `${idLines(task, stateOf(json))}${timestamp === undefined ? '' : field('Since', timestamp)}\n`;
  });
  const next = nextPageToken === '' ? '' : field('Next Page Token', nextPageToken);
  return `${blocks.join('')}${field('Total', String(totalSize))}${next}`;
}

function readState(given: string): NonNullable<ListTasksRequest['status']> {
  const name = `TASK_STATE_${given
    .toUpperCase()
    .replaceAll('-', '_')
    .replace(/^TASK_STATE_/, '')}`;
  const { success, data } = taskStateSchema.safeParse(name);
  if (success) return data;
  const states = taskStateSchema.options.map((state) => state.slice('TASK_STATE_'.length).toLowerCase());
  throw new UsageError(
    `--status: expected ${states.join(', ').replaceAll('_', '-')}, found "${given.slice(0, 40)}".`,
  );
}

function readCount(given: string | undefined, option: string): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,6}$/.test(given)) return Number(given);
  throw new UsageError(`${option}: expected a number, found "${given.slice(0, 40)}".`);
}

export const commands: readonly Command[] = [
  taskGet,
  taskList,
  taskCancel,
  taskSubscribe,
  ...forkCommands,
  ...downloadCommands,
  ...pushConfigCommands,
  listen,
];
