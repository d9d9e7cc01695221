import {
  A2AError,
  FORK_EXTENSION,
  isInterrupted,
  isTerminal,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  type TaskState,
} from '@holdword/protocol';
import { charactersOf, invalidFields, isLazy } from '@holdword/protocol/internal';
import type { TaskHeader } from '@holdword/store';
import { z } from 'zod';
import { DEFAULT_RUNTIME_OPTIONS } from '../defaults.ts';
import type { Engine } from '../engine/engine.ts';
import { stateOf } from '../engine/event-codec.ts';
import { loadFold } from '../engine/task-fold.ts';
import { isoTime } from '../ids-and-times.ts';
import { whole } from './large-answers.ts';
import type { RequestContext } from './operations.ts';
import { taskNotFound, visibleTask } from './tasks.ts';

/*
 * Forking: a new task that begins with what another one had after one of its events. What it begins with is its first event, so
 * that a fork is one commit like any new task, with the same key (J8) and the same owner (J9). The other task is only read.
 */

const FIELD = `metadata["${FORK_EXTENSION}"]`;
/** What a task begins with is one event. */
const MOST_CHARACTERS = DEFAULT_RUNTIME_OPTIONS.maxEventBytes;
/** So many statuses are looked at to name an event at which the task can be forked. */
const MOST_LOOKED_AT = 200;

const forkSchema = z.strictObject({
  taskId: z.string().min(1),
  at: z.int().min(1),
  /** Whether the message starts a turn. Otherwise it is left out, and the new task waits for its user. */
  start: z.boolean().optional(),
});

/** A task that is about to be forked from another one. */
export interface ForkedTask {
  readonly starts: boolean;
  /** Adds what the other task had. */
  readonly begunAs: (task: Task) => Task;
  /** The task if nobody works on it yet: it waits for its user. */
  readonly waiting: (ids: { taskId: string; contextId: string }) => Task;
}

/**
 * What a request that has the metadata of the extension asks for.
 *
 * @throws A2AError INVALID_PARAMS if the task cannot be forked there, TASK_NOT_FOUND if the caller has no such task,
 * UNSUPPORTED_OPERATION if the task is too large, or its events were removed.
 */
export async function forkedTask(
  engine: Engine,
  { message, metadata }: SendMessageRequest,
  context: RequestContext,
): Promise<ForkedTask> {
  const { success, data } = forkSchema.safeParse(metadata?.[FORK_EXTENSION]);
  if (!success) {
    throw invalidFields([
      { field: FIELD, description: 'expected {"taskId": ID, "at": N, "start": true or false}' },
    ]);
  }
  if (message.taskId) {
    throw invalidFields([
      { field: 'message.taskId', description: 'expected none: a fork is a new task, with an ID of its own' },
    ]);
  }
  const { taskId, at, start = true } = data;
  const header = await visibleTask(engine, taskId, context);
  const origin = await taskAt(engine, header, at);
  const shared = {
    ...(origin.artifacts !== undefined && { artifacts: origin.artifacts }),
    metadata: { ...origin.metadata, [FORK_EXTENSION]: { taskId, at } },
  };
  const historyFor = (ids: { taskId: string; contextId: string }): Message[] =>
    (origin.history ?? []).map((each) => ({ ...each, ...ids }));
  return {
    starts: start,
    begunAs: ({ history = [], ...task }) => {
      const ids = { taskId: task.id, contextId: task.contextId };
      return { ...task, ...shared, history: [...historyFor(ids), ...history] };
    },
    waiting: (ids) => {
      const { state, message: question } = origin.status;
      const status = isTerminal(state)
        ? { state: 'TASK_STATE_INPUT_REQUIRED' as const, timestamp: isoTime() }
        : { state, timestamp: isoTime(), ...(question && { message: { ...question, ...ids } }) };
      return { id: ids.taskId, contextId: ids.contextId, status, ...shared, history: historyFor(ids) };
    },
  };
}

/** The whole task as it was after the event. */
async function taskAt(engine: Engine, header: TaskHeader, at: number): Promise<Task> {
  const { taskId, lastSequence, firstSequence } = header;
  if (at > lastSequence) {
    throw invalidFields([
      { field: `${FIELD}.at`, description: `expected an event from 1 to ${lastSequence}, found ${at}` },
    ]);
  }
  if (firstSequence > 1 && at < lastSequence) {
    throw new A2AError(
      'UNSUPPORTED_OPERATION',
      `The events of task ${taskId} before ${firstSequence} were removed. It can be forked only at ${lastSequence}, its last event.`,
    );
  }
  const fold = await loadFold(engine.store, taskId, at, at);
  if (fold === undefined) throw taskNotFound(taskId);
  if (!isAtRest(fold.status.state)) throw await busyThere(engine, header, at, fold.status.state);
  const task = engine.reader.view(fold);
  if (isLazy(task)) return whole(task, MOST_CHARACTERS, tooLarge);
  if (charactersOf(task) > MOST_CHARACTERS) throw tooLarge();
  return task;
}

/** In between, an artifact may be half written, and nobody can say what the agent was about to do. */
function isAtRest(state: TaskState): boolean {
  return isTerminal(state) || isInterrupted(state);
}

async function busyThere(
  engine: Engine,
  header: TaskHeader,
  at: number,
  state: TaskState,
): Promise<A2AError> {
  const before = await lastRest(engine, header, at);
  const points = [before, isAtRest(header.state) ? header.lastSequence : undefined].filter(
    (point) => point !== undefined,
  );
  const advice =
    points.length === 0
      ? 'It has not come to such a point yet.'
      : `The nearest that are known: ${points.join(' and ')}.`;
  return new A2AError(
    'INVALID_PARAMS',
    `Task ${header.taskId} was in the middle of a turn after event ${at} (${state}), so it cannot be forked there. A task can be ` +
      `forked where it waited for its user or had ended. ${advice}`,
    {
      fields: [{ field: `${FIELD}.at`, description: 'expected an event after which the task was at rest' }],
      metadata: { points: points.join(',') },
    },
  );
}

/** The last event before `at` with which the task came to rest. */
async function lastRest({ store }: Engine, { taskId }: TaskHeader, at: number): Promise<number | undefined> {
  let before = at;
  for (let looked = 0; looked < MOST_LOOKED_AT && before > 0; looked += 1) {
    const event = await store.readStatusEvent(taskId, before);
    if (event === undefined) return undefined;
    const state = stateOf(JSON.parse(event.json) as StreamResponse);
    if (state !== undefined && isAtRest(state)) return event.sequence;
    before = event.sequence - 1;
  }
  return undefined;
}

function tooLarge(): A2AError {
  return new A2AError(
    'UNSUPPORTED_OPERATION',
    `The task is larger than ${MOST_CHARACTERS} bytes at that event, which is too large to begin another task with. ` +
      'Fork it at an earlier event, or send a new message.',
  );
}
