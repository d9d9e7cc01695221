import { READERS } from '@holdword/client/internal';
import {
  isInterrupted,
  isTerminal,
  type Message,
  type StreamResponse,
  type TaskStatus,
} from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { encodeEvent, newId } from '@holdword/runtime/internal';
import type { JournalEntry, StatusChange, Store, TaskHeader } from '@holdword/store';
import { CommandError } from '../usage-error.ts';
import type { RecordedEvent } from './recording-format.ts';
import { readRecording, taskIdOf, verifyRecording } from './read-recording.ts';
import { statusOf } from './task-events.ts';

/*
 * Writes a task of a recording into a store. The file is verified to its last line before anything is written. A large task takes
 * several commits; until the last one, the task is a failed one that says so, which nobody can continue and no server runs. An
 * import that was interrupted is repeated: what it left is recognized and replaced.
 */

export interface ImportOptions {
  /** The owner of the new task, as stores name it. */
  readonly owner: string;
  /** Make a new id for the task and its context. Otherwise the recorded ones are kept. */
  readonly newId: boolean;
  /** Which task of the file. Not needed if there is only one. */
  readonly taskId?: string | undefined;
}

export interface ImportedTask {
  readonly taskId: string;
  readonly contextId: string;
  readonly state: string;
  readonly events: number;
}

/** What the first reading of the file tells. */
interface RecordedTask {
  events: number;
  readonly contextId: string;
  readonly createdAt: number;
  status: TaskStatus;
}

interface Ids {
  readonly taskId: string;
  readonly contextId: string;
}

const BATCH_EVENTS = 256;
const BATCH_CHARACTERS = 1024 * 1024;
const MARK = 'urn:holdword:import';

export async function importTask(store: Store, path: string, options: ImportOptions): Promise<ImportedTask> {
  const [recordedId, task] = chosen(path, await tasksIn(path), options.taskId);
  if (!isTerminal(task.status.state) && !isInterrupted(task.status.state)) {
    throw new CommandError(
      `${path}: the task was still running when it was recorded (${task.status.state}), so nobody could finish it here. Export it ` +
        'again when it has ended or waits for its user.',
    );
  }
  const ids = options.newId
    ? { taskId: newId(), contextId: newId() }
    : { taskId: recordedId, contextId: task.contextId };
  await removeUnfinished(store, ids.taskId);
  await writeTask(store, path, { ids, recordedId, task, owner: options.owner });
  return { ...ids, state: task.status.state, events: task.events };
}

/** The tasks of a file, once the whole file was verified. */
async function tasksIn(path: string): Promise<ReadonlyMap<string, RecordedTask>> {
  const tasks = new Map<string, RecordedTask>();
  let line = 1;
  await verifyRecording(path, ({ event, time }) => {
    line += 1;
    const taskId = taskIdOf(event);
    if (taskId === undefined) return;
    const known = tasks.get(taskId);
    if ((known === undefined) !== 'task' in event) {
      throw new CommandError(`${path}: line ${line}: a task begins with itself, and only updates follow.`);
    }
    try {
      READERS.events(event);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new CommandError(`${path}: line ${line}: ${why}`, { cause: error });
    }
    const status = statusOf(event);
    if (known === undefined && 'task' in event && status !== undefined) {
      const createdAt = Date.parse(status.timestamp ?? time ?? '') || Date.now();
      tasks.set(taskId, { events: 1, contextId: event.task.contextId, createdAt, status });
    } else if (known !== undefined) {
      known.events += 1;
      if (status !== undefined) known.status = status;
    }
  });
  return tasks;
}

function chosen(
  path: string,
  tasks: ReadonlyMap<string, RecordedTask>,
  wanted: string | undefined,
): [string, RecordedTask] {
  const [first, ...others] = tasks;
  if (first === undefined) throw new CommandError(`${path}: there is no task in this recording.`);
  if (wanted === undefined && others.length === 0) return first;
  const task = tasks.get(wanted ?? '');
  if (wanted !== undefined && task !== undefined) return [wanted, task];
  const some = [...tasks.keys()].slice(0, 10).join(', ');
  throw new CommandError(
    wanted === undefined
      ? `${path}: there are ${tasks.size} tasks in this recording. Choose one with --task: ${some}.`
      : `${path}: there is no task ${wanted} in this recording. It has: ${some}.`,
  );
}

/** What an interrupted import left is removed. Any other task of this id stays. */
async function removeUnfinished(store: Store, taskId: string): Promise<void> {
  const existing = await store.readTask(taskId);
  if (existing === undefined) return;
  if (isUnfinished(existing) && (await store.retention?.deleteTask(taskId)) === true) return;
  throw new CommandError(
    `Task ${taskId} exists already, and an import never replaces one. Add --new-id to import it as a new task.`,
  );
}

function isUnfinished({ status }: TaskHeader): boolean {
  const message = asObject(asObject(JSON.parse(status))['message']);
  return asObject(message['metadata'])[MARK] === 'unfinished';
}

function unfinishedStatus({ createdAt }: RecordedTask, { taskId, contextId }: Ids): StatusChange {
  const text =
    'The import of this task has not finished. If it was interrupted, the operator runs it again, or deletes the task.';
  const status: TaskStatus = {
    state: 'TASK_STATE_FAILED',
    timestamp: new Date(createdAt).toISOString(),
    message: {
      messageId: newId(),
      taskId,
      contextId,
      role: 'ROLE_AGENT',
      parts: [{ text }],
      metadata: { [MARK]: 'unfinished' },
    },
  };
  return { state: status.state, time: createdAt, json: JSON.stringify(status) };
}

async function writeTask(
  store: Store,
  path: string,
  { ids, recordedId, task, owner }: { ids: Ids; recordedId: string; task: RecordedTask; owner: string },
): Promise<void> {
  const status = statusChange(located(task.status, ids, ids.taskId !== recordedId), task.createdAt);
  let batch: JournalEntry[] = [];
  let characters = 0;
  let written = 0;
  let fence = 0;
  const commit = async (): Promise<void> => {
    const isLast = written + batch.length === task.events;
    if (written === 0) {
      const created = await store.createTask({
        ...ids,
        owner,
        status: isLast ? status : unfinishedStatus(task, ids),
        entries: batch,
        ...(!isLast && { holder: `holdword task import ${process.pid}` }),
      });
      fence = created.created ? created.fence : 0;
    } else {
      const end = isLast ? { status, releaseLease: true } : {};
      await store.append({ taskId: ids.taskId, fence, firstSequence: written + 1, entries: batch, ...end });
    }
    written += batch.length;
    batch = [];
    characters = 0;
  };
  for await (const recorded of readRecording(path)) {
    if (taskIdOf(recorded.event) !== recordedId) continue;
    const entry = journalEntry(recorded, ids, ids.taskId !== recordedId);
    batch.push(entry);
    characters += entry.json.length + (entry.internal?.length ?? 0);
    if (batch.length >= BATCH_EVENTS || characters >= BATCH_CHARACTERS) await commit();
  }
  if (batch.length > 0) await commit();
}

function statusChange(status: TaskStatus, fallback: number): StatusChange {
  const time = Date.parse(status.timestamp ?? '') || fallback;
  return { state: status.state, time, json: JSON.stringify(status) };
}

/** The event as the journal has it, with its number. The user's message goes where the journal keeps it. */
function journalEntry(
  { event, input, sequence = 1 }: RecordedEvent,
  ids: Ids,
  isMoved: boolean,
): JournalEntry {
  const moved = movedEvent(event, ids, isMoved);
  const begun = sequence === 1 && 'task' in moved ? withFirstMessage(moved, input) : moved;
  const { json } = encodeEvent(begun, sequence);
  const entry: JournalEntry = { json };
  if (statusOf(event) !== undefined) entry.changesStatus = true;
  if (sequence > 1 && input !== undefined) {
    entry.internal = JSON.stringify({ input: isMoved ? { ...input, ...ids } : input });
  }
  return entry;
}

type JournalEvent = Exclude<StreamResponse, { message: Message }>;

function movedEvent(event: StreamResponse, ids: Ids, isMoved: boolean): JournalEvent {
  if ('message' in event) throw new CommandError('A plain message belongs to no task.');
  if (!isMoved) return event;
  if ('artifactUpdate' in event) return { artifactUpdate: { ...event.artifactUpdate, ...ids } };
  if ('statusUpdate' in event) {
    const { status, ...others } = event.statusUpdate;
    return { statusUpdate: { ...others, ...ids, status: located(status, ids, isMoved) } };
  }
  const { status, history, ...others } = event.task;
  return {
    task: {
      ...others,
      id: ids.taskId,
      contextId: ids.contextId,
      status: located(status, ids, isMoved),
      ...(history && { history: history.map((message) => ({ ...message, ...ids })) }),
    },
  };
}

/** Some agents leave the history out of what they send. */
function withFirstMessage(
  event: Extract<JournalEvent, { task: unknown }>,
  input: Message | undefined,
): Extract<JournalEvent, { task: unknown }> {
  if (input === undefined || event.task.history?.length) return event;
  const { id: taskId, contextId } = event.task;
  return { task: { ...event.task, history: [{ ...input, taskId, contextId }] } };
}

function located(status: TaskStatus, ids: Ids, isMoved: boolean): TaskStatus {
  return isMoved && status.message !== undefined
    ? { ...status, message: { ...status.message, ...ids } }
    : status;
}
