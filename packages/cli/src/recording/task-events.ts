import { isInterrupted, isTerminal, type Message, type StreamResponse, type Task } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { Store, TaskHeader } from '@holdword/store';
import type { CalledAgent } from '../calling/called-agent.ts';
import { stateOf } from '../calling/task-text.ts';
import { CommandError } from '../usage-error.ts';
import { recordingHeader, type RecordedEvent, type RecordingHeader } from './recording-format.ts';

/** What is known about a task: who answered, and its events so far, in order. */
export interface TaskEvents {
  readonly header: RecordingHeader;
  readonly events: AsyncIterable<RecordedEvent>;
}

const PAGE = 256;

/** The events of a task in a data folder, whoever owns it. */
export async function storedEvents(store: Store, taskId: string): Promise<TaskEvents> {
  const task = await store.readTask(taskId);
  if (task === undefined) {
    throw new CommandError(
      `There is no task ${taskId}. Check the id, and that --data and --store are those of the server.`,
    );
  }
  if (task.firstSequence > 1) {
    throw new CommandError(
      `The events of task ${taskId} before ${task.firstSequence} were removed, as the retention settings say. Get what is left ` +
        'with: holdword task get ID -a AGENT',
    );
  }
  return {
    header: recordingHeader({ task: { id: task.taskId, contextId: task.contextId } }),
    events: readStored(store, task),
  };
}

async function* readStored(
  store: Store,
  { taskId, lastSequence }: TaskHeader,
): AsyncGenerator<RecordedEvent, void, undefined> {
  for (let cursor = 0; cursor < lastSequence;) {
    const page = await store.readEvents(taskId, cursor, Math.min(PAGE, lastSequence - cursor));
    if (page.length === 0) throw new CommandError(`Task ${taskId} was deleted while it was read.`);
    for (const { sequence, json, internal } of page) {
      const event = JSON.parse(json) as StreamResponse;
      const given = internal === undefined ? undefined : asObject(JSON.parse(internal))['input'];
      yield recorded(event, sequence, (given as Message | undefined) ?? firstInput(event, sequence));
      cursor = sequence;
    }
  }
}

/** The message that created a task is in its first event. */
function firstInput(event: StreamResponse, sequence: number): Message | undefined {
  if (sequence > 1 || !('task' in event)) return undefined;
  return event.task.history?.findLast(({ role }) => role === 'ROLE_USER');
}

function recorded(event: StreamResponse, sequence: number, input: Message | undefined): RecordedEvent {
  return { sequence, time: timeOf(event), input, event: withoutGeneration(event) };
}

/** A recording is the same whichever version of A2A it was made with. */
export function withoutGeneration(event: StreamResponse): StreamResponse {
  const [[kind, content] = ['', {}]] = Object.entries(event as unknown as Record<string, object>);
  if (!('generation' in content)) return event;
  const { generation: _, ...others } = content;
  return { [kind]: others } as unknown as StreamResponse;
}

/** When an event happened, if it says so. */
export function timeOf(event: StreamResponse): string | undefined {
  const { timestamp } = statusOf(event) ?? {};
  return timestamp === undefined || Number.isNaN(Date.parse(timestamp)) ? undefined : timestamp;
}

export function statusOf(event: StreamResponse): Task['status'] | undefined {
  if ('task' in event) return event.task.status;
  return 'statusUpdate' in event ? event.statusUpdate.status : undefined;
}

/**
 * The events of a task at an agent, up to now: all of them from an agent that keeps them (the resume extension), otherwise the
 * task as it is.
 */
export async function agentEvents(
  agent: CalledAgent,
  taskId: string,
  signal: AbortSignal,
): Promise<TaskEvents> {
  const about = { agent: describedAgent(agent) };
  if (!agent.resumes) {
    const task = (await agent.call('getTask', { id: taskId }, signal)) as Task;
    const input = task.history?.findLast(({ role }) => role === 'ROLE_USER');
    return {
      header: recordingHeader({ ...about, task: idsOf(task), partial: true }),
      events: inOrder([recorded({ task }, 1, input)]),
    };
  }
  const frames = agent.stream('subscribeToTask', { id: taskId }, { signal, resumeAfter: 0 });
  const reading = frames[Symbol.asyncIterator]();
  const first = await reading.next();
  const event = first.done === true ? undefined : (first.value.json as StreamResponse);
  if (event === undefined || !('task' in event)) throw unexpected('its first event is no task');
  if (numberOf(event) !== 1 && first.value.id !== '1') {
    await reading.return?.();
    throw new CommandError(
      `The agent has removed the first events of task ${taskId}. Get what is left with: holdword task get ID ${agent.words}`,
    );
  }
  const current = await currentTask(agent, event.task, signal);
  return {
    header: recordingHeader({ ...about, task: idsOf(event.task) }),
    events: upTo(current, event, reading),
  };
}

/** What the recording says about the agent: enough to show it, and to serve a mock of it. */
export function describedAgent({ found, origin }: CalledAgent): NonNullable<RecordingHeader['agent']> {
  const { name, description, version, skills } = found.card;
  return { name, description, version, skills, url: origin };
}

function idsOf({ id, contextId }: Task): { id: string; contextId: string } {
  return { id, contextId };
}

async function* inOrder(events: readonly RecordedEvent[]): AsyncGenerator<RecordedEvent, void, undefined> {
  yield* events;
}

/** The task as it is now, with its history, and without its artifacts if the agent can leave them out. */
async function currentTask(agent: CalledAgent, { id, contextId }: Task, signal: AbortSignal): Promise<Task> {
  let pageToken: string | undefined;
  try {
    do {
      const answer = asObject(
        await agent.call(
          'listTasks',
          { contextId, historyLength: MOST_MESSAGES, pageSize: 100, ...(pageToken && { pageToken }) },
          signal,
        ),
      );
      const tasks = Array.isArray(answer['tasks']) ? (answer['tasks'] as Task[]) : [];
      const found = tasks.find((task) => task.id === id);
      if (found !== undefined) return found;
      pageToken = typeof answer['nextPageToken'] === 'string' ? answer['nextPageToken'] : '';
    } while (pageToken !== '');
  } catch {
    signal.throwIfAborted();
    // Not every agent lists tasks.
  }
  return (await agent.call('getTask', { id }, signal)) as Task;
}

const MOST_MESSAGES = 100_000;

/** The events of a stream until the task is what it was when the reading began. */
async function* upTo(
  current: Task,
  first: StreamResponse,
  rest: AsyncIterator<{ json: unknown }>,
): AsyncGenerator<RecordedEvent, void, undefined> {
  const inputs = new Inputs(current.history ?? []);
  let sequence = 0;
  try {
    for (let event: StreamResponse | undefined = first; event !== undefined;) {
      sequence += 1;
      const number = numberOf(event) ?? sequence;
      if (number !== sequence) throw unexpected(`expected event ${sequence}, found ${number}`);
      yield recorded(event, sequence, firstInput(event, sequence) ?? inputs.of(event));
      if (!isTerminal(current.status.state) && isStatus(event, current)) return;
      const next = await rest.next();
      event = next.done === true ? undefined : (next.value.json as StreamResponse);
    }
  } finally {
    await rest.return?.();
  }
}

function isStatus(event: StreamResponse, { status }: Task): boolean {
  const own = statusOf(event);
  return (
    own !== undefined &&
    own.state === status.state &&
    own.timestamp === status.timestamp &&
    own.message?.messageId === status.message?.messageId
  );
}

/** The number that the agent gave an event. */
export function numberOf(event: StreamResponse): number | undefined {
  const [content] = Object.values(event) as { metadata?: unknown }[];
  const { seq } = asObject(asObject(content?.metadata)['urn:holdword:a2a:resume:v1']);
  return typeof seq === 'number' ? seq : undefined;
}

/**
 * What the user answered to a question is in the history, not in the events: it is the message after the question, and the first
 * event after that is its consequence.
 */
class Inputs {
  readonly #history: readonly Message[];
  #next = 1;
  #question: Message | undefined;
  #wasAsking = false;

  constructor(history: readonly Message[]) {
    this.#history = history;
  }

  of(event: StreamResponse): Message | undefined {
    const status = statusOf(event);
    if (status === undefined) return undefined;
    const isAnswered = this.#wasAsking && !isInterrupted(status.state) && !isTerminal(status.state);
    const input = isAnswered ? this.#answer() : undefined;
    this.#wasAsking = isInterrupted(status.state);
    this.#question = status.message;
    return input;
  }

  #answer(): Message | undefined {
    const asked = this.#history.findIndex(({ messageId }) => messageId === this.#question?.messageId);
    const at = asked === -1 ? this.#next : asked + 1;
    const message = this.#history[at];
    // Credentials arrive without a message.
    if (message?.role !== 'ROLE_USER') return undefined;
    this.#next = at + 1;
    return message;
  }
}

function unexpected(why: string): CommandError {
  return new CommandError(`The agent sent what it cannot have meant: ${why}.`);
}

/** The state of a task as its events say. */
export function stateIn(event: StreamResponse): string | undefined {
  const status = statusOf(event);
  return status && stateOf({ status });
}
