import { isTerminal } from '@holdword/protocol';
import type { CommittedEvent, JournalAppend, JournalEntry, NewTask, TaskHeader } from '../port.ts';
import { sequenceConflict, staleFence, unknownTask } from '../rejections.ts';

/** A task in the table: everything except its events. */
export interface TaskRow {
  /** Increases with each new task: the order of creation, and the tie-breaker of lists. */
  readonly key: number;
  readonly header: TaskHeader;
  /** Sequence numbers of the events that change the status, ascending. */
  readonly statusSequences: number[];
  /** The idempotency keys that the task was created or continued with. */
  readonly idempotencyKeys: OwnedKey[];
  holder: string | undefined;
  /** The size of its events and its snapshot. */
  bytes: number;
}

/** An idempotency key with its owner. */
export interface OwnedKey {
  owner: string;
  key: string;
  payloadHash: string;
}

export function newTaskRow(task: NewTask, key: number): TaskRow {
  const { taskId, owner, contextId, status, entries, holder } = task;
  return {
    key,
    header: {
      taskId,
      owner,
      contextId,
      state: status.state,
      statusTime: status.time,
      status: status.json,
      createdAt: status.time,
      lastSequence: entries.length,
      firstSequence: 1,
      fence: 1,
    },
    statusSequences: statusSequencesOf(entries, 1),
    idempotencyKeys: [],
    holder,
    bytes: bytesOf(entries),
  };
}

export function bytesOf(entries: readonly JournalEntry[]): number {
  let bytes = 0;
  for (const { json, internal = '' } of entries)
    bytes += Buffer.byteLength(json) + Buffer.byteLength(internal);
  return bytes;
}

/** A task whose journal was trimmed to its last event. */
export function trimmedRow(header: TaskHeader, key: number, last: JournalEntry): TaskRow {
  const statusSequences = statusSequencesOf([last], header.lastSequence);
  return { key, header, statusSequences, idempotencyKeys: [], holder: undefined, bytes: bytesOf([last]) };
}

/** Rejects an append that would violate J2 or J3. */
export function checkAppend(row: TaskRow | undefined, append: JournalAppend): TaskRow {
  const { taskId, fence, firstSequence } = append;
  if (row === undefined) throw unknownTask(taskId);
  if (row.header.fence !== fence) throw staleFence(taskId, fence, row.header.fence);
  const nextSequence = row.header.lastSequence + 1;
  if (firstSequence !== nextSequence) throw sequenceConflict(taskId, firstSequence, nextSequence);
  return row;
}

export function appendToRow(row: TaskRow, append: JournalAppend): void {
  const { header, statusSequences } = row;
  const { firstSequence, entries, status, releaseLease } = append;
  header.lastSequence = firstSequence + entries.length - 1;
  statusSequences.push(...statusSequencesOf(entries, firstSequence));
  row.bytes += bytesOf(entries);
  if (status !== undefined) {
    header.state = status.state;
    header.statusTime = status.time;
    header.status = status.json;
  }
  if (releaseLease === true) row.holder = undefined;
}

function statusSequencesOf(entries: readonly JournalEntry[], firstSequence: number): number[] {
  return entries.flatMap((entry, index) => (entry.changesStatus ? [firstSequence + index] : []));
}

export function isRunning({ header }: TaskRow): boolean {
  return header.state === 'TASK_STATE_SUBMITTED' || header.state === 'TASK_STATE_WORKING';
}

export function hasEnded({ header }: TaskRow): boolean {
  return isTerminal(header.state);
}

export function entriesToEvents(entries: readonly JournalEntry[], firstSequence: number): CommittedEvent[] {
  return entries.map(({ json, internal }, index) => {
    const sequence = firstSequence + index;
    return internal === undefined ? { sequence, json } : { sequence, json, internal };
  });
}
