import type { JournalRow } from '../journal-rows.ts';
import type { JournalAppend, NewTask } from '../port.ts';
import { stateToCode } from '../state-codes.ts';
import { toDatabaseText } from '../database-text.ts';
import { toIndexedKey } from './indexed-key.ts';
import type { AppendWrite, CreateTaskWrite, NumberedRow } from './write.ts';

export function newTaskToWrite(task: NewTask, journalRows: readonly JournalRow[]): CreateTaskWrite {
  const { taskId, owner, contextId, status, entries, holder, idempotency } = task;
  const rows = toNumberedRows(1, journalRows);
  return {
    kind: 'create-task',
    task_id: toDatabaseText(taskId),
    owner: toDatabaseText(owner),
    context_id: toDatabaseText(contextId),
    state: stateToCode(status.state),
    status_time: status.time,
    status: toDatabaseText(status.json),
    last_sequence: entries.length,
    status_sequence: rows.at(-1)?.status ?? 0,
    rows,
    ...(holder !== undefined && { holder: toDatabaseText(holder) }),
    ...(idempotency !== undefined && {
      key: toIndexedKey(idempotency.key),
      payload_hash: toDatabaseText(idempotency.payloadHash),
    }),
  };
}

export function appendToWrite(append: JournalAppend, journalRows: readonly JournalRow[]): AppendWrite {
  const { taskId, fence, firstSequence, entries, status, releaseLease = false, idempotency } = append;
  const rows = toNumberedRows(firstSequence, journalRows);
  return {
    kind: 'append',
    task_id: toDatabaseText(taskId),
    fence,
    first_sequence: firstSequence,
    last_sequence: firstSequence + entries.length - 1,
    status_sequence: rows.at(-1)?.status ?? 0,
    releases: releaseLease,
    rows,
    ...(status !== undefined && {
      state: stateToCode(status.state),
      status_time: status.time,
      status: toDatabaseText(status.json),
    }),
    ...(idempotency !== undefined && {
      owner: toDatabaseText(idempotency.owner),
      key: toIndexedKey(idempotency.key),
      payload_hash: toDatabaseText(idempotency.payloadHash),
    }),
  };
}

function toNumberedRows(firstSequence: number, journalRows: readonly JournalRow[]): NumberedRow[] {
  const rows: NumberedRow[] = [];
  let first = firstSequence;
  let status = 0;
  for (const [count, statusIndex, lines] of journalRows) {
    if (statusIndex >= 0) status = first + statusIndex;
    rows.push({ first, last: first + count - 1, status, lines: toDatabaseText(lines) });
    first += count;
  }
  return rows;
}
