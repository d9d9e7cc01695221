import {
  isInterrupted,
  isTerminal,
  type Message,
  type StreamResponse,
  type Task,
  type TaskStatus,
} from '@holdword/protocol';
import { streamResponseSchema, taskSchema, v03EventToCore, v03TaskToCore } from '@holdword/protocol/internal';
import { ownerKey, taskToSnapshot } from '@holdword/runtime/internal';
import { type Adopt, type AdoptedTask, type JournalEntry, StoreError } from '@holdword/store';
import { legacyFileName, type LegacyRecord, readLegacyRecord } from './legacy-record.ts';

/** The legacy plugin did not authenticate callers: anyone with the id of a task may read it. */
const OWNER = ownerKey({ tenant: '', caller: 'anonymous', authenticated: false });

const INTERRUPTED =
  'Interrupted: the server stopped while the agent was working. How far it got is unknown. ' +
  'Check the artifacts, then send the message again.';

const EMPTY_TEXT = { kind: 'text', text: '' };

/** Finds tasks that `@aramisfa/openclaw-a2a-inbound` stored in the folder. Its files are read and never changed. */
export function adoptLegacyTasks(folder: string): Adopt {
  return async (taskId) => {
    const record = await readLegacyRecord(folder, taskId);
    return record && adoptRecord(record);
  };
}

/**
 * The task and its journal. What the record does not contain as events (the first snapshot, everything in schema 1) is turned
 * into events, so that folding the journal yields the task. No process runs the task any more: one that was active has failed.
 */
function adoptRecord(record: LegacyRecord): AdoptedTask {
  const stored = toTask(record);
  const events = eventsOf(record, stored);
  const settled = isTerminal(stored.status.state) || isInterrupted(stored.status.state);
  const task = settled ? stored : interrupted(stored);
  const entries = [...events, statusEvent(task)].map(toEntry);
  const { id: taskId, contextId, status } = task;
  return {
    task: {
      taskId,
      owner: OWNER,
      contextId,
      status: { state: status.state, time: timeOf(status), json: JSON.stringify(status) },
      entries,
    },
    snapshot: { sequence: entries.length, json: taskToSnapshot(task) },
  };
}

function toTask({ task }: LegacyRecord): Task {
  // A2A 1.0 has no `unknown` state. Such a task has not ended.
  const status = task.status.state === 'unknown' ? { ...task.status, state: 'working' } : task.status;
  const result = taskSchema.safeParse(v03TaskToCore(fillEmptyParts({ ...task, status })));
  if (result.success) return result.data;
  throw unreadable(task.id, result.error);
}

/** All events before the one with the last status. */
function eventsOf(record: LegacyRecord, task: Task): StreamResponse[] {
  const begun: StreamResponse = { task: firstSnapshot(task) };
  if (record.schemaVersion === 1) {
    const { id: taskId, contextId, artifacts = [] } = task;
    return [
      begun,
      ...artifacts.map((artifact) => ({ artifactUpdate: { taskId, contextId, artifact, lastChunk: true } })),
    ];
  }
  const journal = record.journal.map(({ event }) => toEvent(task.id, event));
  const last = journal.at(-1);
  const repeats =
    last !== undefined && 'statusUpdate' in last && last.statusUpdate.status.state === task.status.state;
  return [begun, ...(repeats ? journal.slice(0, -1) : journal)];
}

function toEvent(taskId: string, event: unknown): StreamResponse {
  const result = streamResponseSchema.safeParse(v03EventToCore(fillEmptyParts(event)));
  if (result.success) return result.data;
  throw unreadable(taskId, result.error);
}

/** The task right after its first message. */
function firstSnapshot({ id, contextId, status, history = [] }: Task): Task {
  const first = history.find(({ role }) => role === 'ROLE_USER');
  return {
    id,
    contextId,
    status: {
      state: 'TASK_STATE_SUBMITTED',
      ...(status.timestamp !== undefined && { timestamp: status.timestamp }),
    },
    ...(first && { history: [first] }),
  };
}

function interrupted(task: Task): Task {
  const { id: taskId, contextId, history = [] } = task;
  const message: Message = {
    messageId: `${taskId}-interrupted`,
    role: 'ROLE_AGENT',
    parts: [{ text: INTERRUPTED }],
    taskId,
    contextId,
  };
  const status: TaskStatus = { state: 'TASK_STATE_FAILED', message, timestamp: new Date().toISOString() };
  return { ...task, status, history: [...history, message] };
}

function statusEvent({ id: taskId, contextId, status }: Task): StreamResponse {
  return { statusUpdate: { taskId, contextId, status } };
}

function toEntry(event: StreamResponse): JournalEntry {
  return { json: JSON.stringify(event), ...(!('artifactUpdate' in event) && { changesStatus: true }) };
}

function timeOf({ timestamp }: TaskStatus): number {
  const time = Date.parse(timestamp ?? '');
  return Number.isNaN(time) ? 0 : time;
}

function unreadable(taskId: string, cause: unknown): StoreError {
  return new StoreError(
    'corrupt',
    `${legacyFileName(taskId)} does not contain a valid A2A 0.3 task. Restore it from a backup or remove it.`,
    { cause },
  );
}

/** Replaces empty part lists by an empty text: the legacy plugin closed artifacts that way, and A2A 1.0 requires a part. */
function fillEmptyParts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fillEmptyParts);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => [
    name,
    name === 'parts' && Array.isArray(field) && field.length === 0 ? [EMPTY_TEXT] : fillEmptyParts(field),
  ]);
  return Object.fromEntries(fields);
}
