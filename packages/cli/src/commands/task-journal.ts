import { isTransient } from '@holdword/client/internal';
import { isTerminal, type StreamResponse, type TaskState } from '@holdword/protocol';
import { asObject, pause } from '@holdword/protocol/internal';
import { listPushTargets } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import type { CalledAgent } from '../calling/called-agent.ts';
import { WAIT_OPTIONS } from '../calling/call-options.ts';
import { reportMisuse, runCall, type Call } from '../calling/run-call.ts';
import { eventText, field, idLines, messageText, withoutControls } from '../calling/task-text.ts';
import type { Command } from '../command-line/command.ts';
import { renderTable } from '../command-line/render-table.ts';
import { paced, readSpeed, SPEED_OPTION } from '../recording/pacing.ts';
import type { RecordedEvent } from '../recording/recording-format.ts';
import { numberOf, stateIn, type TaskEvents, withoutGeneration } from '../recording/task-events.ts';
import { timelineOf, type TimelineRow } from '../recording/timeline.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { listPushConfigs } from './task-push-config.ts';
import { dataInput, readsData, TASK_SOURCE_OPTIONS, withRecording, withTaskEvents } from './task-source.ts';
import { withExistingStore } from './with-store.ts';

const PAGE = 'guides/record-and-replay.md';
const EXAMPLE_ID = '0198f3c2-6f1d-7a40-b0f4-3f1f2d0c7e11';
/** So many events are printed before their output is waited for. */
const PRINTED_AT_ONCE = 64;
const POLL_MILLISECONDS = 300;
const MOST_FAILURES = 5;

const taskShow: Command = {
  ...listed('task show'),
  misused: reportMisuse,
  details:
    'Shows what happened, event by event: messages, states, progress, tool calls, questions, artifacts. From the data of a server, ' +
    'also how far push notifications have come. An agent that does not keep the events of its tasks shows the task as it is.',
  options: TASK_SOURCE_OPTIONS,
  examples: [
    { comment: 'See what happened in a task', command: `holdword task show ${EXAMPLE_ID} -a localhost:4310` },
    {
      comment: 'The same from the data of a server on this machine, for any caller',
      command: `holdword task show ${EXAMPLE_ID} --data .holdword`,
    },
  ],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const [operand = ''] = input.operands;
      await withRecording(call, operand, async (found) => show(call, found));
    }),
};

async function show(call: Call, { header, events }: TaskEvents): Promise<void> {
  let state: string | undefined;
  const watched = (async function* () {
    for await (const recorded of events) {
      state = stateIn(recorded.event) ?? state;
      yield recorded;
    }
  })();
  const timeline = await timelineOf(watched);
  const push = await pushDeliveries(call, header.task?.id);
  const { task, agent, partial = false } = header;
  const json = {
    ...(task && { taskId: task.id, contextId: task.contextId }),
    state,
    agent,
    partial,
    timeline,
    push,
  };
  call.print(json, () =>
    [
      task === undefined ? '' : idLines(task, state ?? 'TASK_STATE_UNSPECIFIED'),
      partial
        ? field('Note', 'The agent does not keep the events of its tasks. This is the task as it is.')
        : '',
      '\n',
      timelineText(timeline),
      push.length === 0 ? '' : `\n${renderTable(PUSH_HEAD, push.map(pushRow))}`,
    ].join(''),
  );
}

const HEAD = ['EVENT', 'TIME', 'AFTER', 'WHAT', ''];

function timelineText(rows: readonly TimelineRow[]): string {
  const first = rows.find(({ time }) => time !== undefined)?.time;
  return renderTable(
    HEAD,
    rows.map(({ from, to, time, kind, text }, index) => [
      // What one event says is a row each.
      rows[index - 1]?.to === to ? '' : from === to ? String(from) : `${from}-${to}`,
      rows[index - 1]?.to === to ? '' : (time ?? ''),
      rows[index - 1]?.to === to ? '' : elapsed(first, time),
      kind,
      withoutControls(text).replaceAll('\n', ' '),
    ]),
  );
}

function elapsed(first: string | undefined, time: string | undefined): string {
  if (first === undefined || time === undefined) return '';
  return `${((Date.parse(time) - Date.parse(first)) / 1000).toFixed(1)} s`;
}

interface PushDelivery {
  readonly id: string;
  readonly url: string;
  readonly state?: string;
  readonly delivered?: number;
  readonly error?: string | undefined;
}

const PUSH_HEAD = ['PUSH', 'URL', 'STATE', 'DELIVERED', 'LAST ERROR'];

function pushRow({ id, url, state = '', delivered, error = '' }: PushDelivery): string[] {
  return [id, url, state, delivered === undefined ? '' : String(delivered), error].map(withoutControls);
}

/** Who is notified of the task, and how far delivery has come if that can be seen from here. */
async function pushDeliveries(call: Call, taskId: string | undefined): Promise<PushDelivery[]> {
  if (taskId === undefined) return [];
  if (readsData(call.input)) {
    const targets = await withExistingStore(dataInput(call.input), 'push targets', (store) =>
      listPushTargets(store),
    );
    return targets
      .filter((target) => target.taskId === taskId)
      .map(({ configId: id, url, state, delivered, error }) => ({ id, url, state, delivered, error }));
  }
  const agent = call.progress.agent as CalledAgent | undefined;
  if (agent?.found.card.capabilities.pushNotifications !== true) return [];
  try {
    const { configs } = await listPushConfigs(agent, taskId, call.signal);
    return configs.map((config) => {
      const { id, url } = asObject(config);
      return { id: String(id), url: String(url) };
    });
  } catch (error) {
    call.signal.throwIfAborted();
    call.diagnostics.warn(`The push notifications of the task are not shown: ${(error as Error).message}`);
    return [];
  }
}

const taskEvents: Command = {
  ...listed('task events'),
  misused: reportMisuse,
  details:
    'With -o json, one event per line, as the agent sent it. With --follow, waits for new events until the task has ended; a lost ' +
    'connection is opened again, and no event is missed or repeated.',
  options: {
    ...TASK_SOURCE_OPTIONS,
    after: { value: 'N', description: 'Only events after this one', default: '0' },
    follow: { description: 'Wait for new events until the task has ended' },
    timeout: { ...WAIT_OPTIONS.timeout, default: 'none' },
  },
  examples: [
    {
      comment: 'Follow a task from its third event on, for a program',
      command: `holdword task events ${EXAMPLE_ID} -a localhost:4310 --after 3 --follow -o json`,
    },
  ],
  page: PAGE,
  run: (input) =>
    runCall(
      input,
      async (call) => {
        const [taskId = ''] = input.operands;
        const after = readAfter(input.options['after']);
        const print = printer(call);
        if (input.options['follow'] === 'true') return follow(call, taskId, after, print);
        await withTaskEvents(call, taskId, async ({ events }) => {
          for await (const { sequence = 0, event } of events) if (sequence > after) await print(event);
        });
      },
      { isOpenEnded: true },
    ),
};

type Print = (event: StreamResponse) => Promise<void>;

/** Prints one event at a time, and waits for a slow reader now and then. */
function printer(call: Call): Print {
  let printed = 0;
  return async (event) => {
    call.print(event, () => eventText(event, call), true);
    printed += 1;
    if (printed % PRINTED_AT_ONCE === 0) await call.input.terminal.written();
  };
}

async function follow(call: Call, taskId: string, after: number, print: Print): Promise<void> {
  if (readsData(call.input)) {
    return withExistingStore(dataInput(call.input), 'tasks', (store) =>
      followStore(store, taskId, after, print, call.signal),
    );
  }
  const agent = await call.open();
  if (!agent.resumes) {
    throw new CommandError(
      'The agent does not number its events, so they cannot be followed from one of them on. Use: holdword task subscribe ID --stream',
    );
  }
  await followAgent(agent, taskId, after, print, call.signal);
}

async function followAgent(
  agent: CalledAgent,
  taskId: string,
  after: number,
  print: Print,
  signal: AbortSignal,
): Promise<void> {
  let cursor = after;
  for (let failures = 0; ; failures += 1) {
    try {
      for await (const { json, id } of agent.stream(
        'subscribeToTask',
        { id: taskId },
        { signal, resumeAfter: cursor },
      )) {
        const event = json as StreamResponse;
        const sequence = numberOf(event) ?? Number(id ?? Number.NaN);
        // A stream begins with the task as it was at the cursor.
        if (sequence <= cursor) continue;
        cursor = sequence;
        failures = 0;
        await print(withoutGeneration(event));
        if (isTerminal(stateIn(event) as TaskState)) return;
      }
      const task = asObject(await agent.call('getTask', { id: taskId, historyLength: 0 }, signal));
      if (isTerminal(asObject(task['status'])['state'] as TaskState)) return;
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error) || failures >= MOST_FAILURES) throw error;
    }
    await pause(POLL_MILLISECONDS * 2 ** failures, signal);
  }
}

async function followStore(
  store: Store,
  taskId: string,
  after: number,
  print: Print,
  signal: AbortSignal,
): Promise<void> {
  for (let cursor = after; ;) {
    signal.throwIfAborted();
    const header = await store.readTask(taskId);
    if (header === undefined) throw new CommandError(`There is no task ${taskId}.`);
    const events = await store.readEvents(taskId, cursor, PRINTED_AT_ONCE);
    for (const { json, sequence } of events) {
      await print(JSON.parse(json) as StreamResponse);
      cursor = sequence;
    }
    if (cursor >= header.lastSequence && isTerminal(header.state)) return;
    if (events.length === 0) await pause(POLL_MILLISECONDS, signal);
  }
}

function readAfter(given: string | undefined): number {
  if (given === undefined) return 0;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new UsageError(`--after: expected the number of an event, found "${given.slice(0, 40)}".`);
}

const taskReplay: Command = {
  ...listed('task replay'),
  misused: reportMisuse,
  details:
    'Prints the events with the pauses that were between them, from a file that `holdword task export` or `holdword record` wrote, or ' +
    'of a task. Where the task waited for its user, the pause is two seconds at most. With -o json, one line per event.',
  options: {
    ...TASK_SOURCE_OPTIONS,
    speed: { ...SPEED_OPTION, default: '1' },
    timeout: { ...WAIT_OPTIONS.timeout, default: 'none' },
  },
  examples: [
    { comment: 'See it again, ten times as fast', command: 'holdword task replay trip.jsonl --speed 10' },
  ],
  page: PAGE,
  run: (input) =>
    runCall(
      input,
      async (call) => {
        const [operand = ''] = input.operands;
        const speed = readSpeed(input.options['speed'], 1);
        await withRecording(call, operand, async ({ events }) => {
          let printed = 0;
          for await (const recorded of paced(events, speed, call.signal)) {
            call.print(lineOf(recorded), () => replayText(recorded, call.isVerbose), true);
            printed += 1;
            if (speed < Infinity || printed % PRINTED_AT_ONCE === 0) await input.terminal.written();
          }
          call.signal.throwIfAborted();
        });
      },
      { isOpenEnded: true },
    ),
};

function lineOf({ sequence, time, input, event }: RecordedEvent): object {
  return { sequence, time, input, event };
}

function replayText({ event, input }: RecordedEvent, isVerbose: boolean): string {
  return `${input === undefined ? '' : messageText('User', input)}${eventText(event, { isVerbose })}`;
}

export const commands: readonly Command[] = [taskShow, taskEvents, taskReplay];
