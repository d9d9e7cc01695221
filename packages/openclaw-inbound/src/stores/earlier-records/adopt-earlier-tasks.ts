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
import { StoreError, type Adopt, type AdoptedTask, type JournalEntry } from '@holdword/store';
import type { EarlierRecord } from './earlier-record.ts';
import { fillEmptyParts } from './fill-empty-parts.ts';
import { earlierFileName, readEarlierRecord } from './read-earlier-record.ts';

/** Version 1 of this plugin knew no callers: whoever has the id of a task may ask for it. */
const OWNER = ownerKey({ tenant: '', caller: 'anonymous', authenticated: false });

const INTERRUPTED =
  'Interrupted: the server went down while the agent was working, and what it had done by then is unknown. ' +
  'Look at the artifacts, then send the message again.';

/** Finds tasks that version 1 of this plugin kept in the folder. Its files are read and never changed. */
export function adoptEarlierTasks(folder: string): Adopt {
  return async (taskId) => {
    const record = await readEarlierRecord(folder, taskId);
    return record && adoptRecord(record);
  };
}

/**
 * The task and its journal. What the record does not say in events (the first snapshot, everything before there were
 * events) is put into events, so that the journal leads to the task. Nobody works on it any more: one that was active
 * has failed.
 */
function adoptRecord(record: EarlierRecord): AdoptedTask {
  const kept = toTask(record);
  const events = eventsOf(record, kept);
  const settled = isTerminal(kept.status.state) || isInterrupted(kept.status.state);
  const task = settled ? kept : interrupted(kept);
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

function toTask({ task }: EarlierRecord): Task {
  // A state that 1.0 does not have: nothing is known of such a task but that it has not ended.
  const status = task.status.state === 'unknown' ? { ...task.status, state: 'working' } : task.status;
  const result = taskSchema.safeParse(v03TaskToCore(fillEmptyParts({ ...task, status })));
  if (result.success) return result.data;
  throw unreadable(task.id, result.error);
}

/** All events before the one that brings the last status. */
function eventsOf(record: EarlierRecord, task: Task): StreamResponse[] {
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

/** The task when its first message had come. */
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
    `Expected ${earlierFileName(taskId)} to hold a task of A2A 0.3, found something else; ` +
      'restore it from a backup or remove it.',
    { cause },
  );
}
