import type { DatabaseSync } from 'node:sqlite';
import type { StoreReads } from '../backed-store.ts';
import type { CommittedEvent, IdempotencyEntry } from '../port.ts';
import {
  integer,
  type Row,
  rowToEvents,
  rowToStatusEvent,
  storedText,
  text,
  toDatabaseText,
} from '../sql/rows.ts';

/** A read stops here: readers pull at their own pace and should not hold a long journal in memory (J5). */
const ENOUGH_CHARACTERS = 256 * 1024;

/** The reads of one task's journal and of its snapshot. */
export function prepareJournalReads(database: DatabaseSync) {
  const findTask = database.prepare('SELECT key FROM tasks WHERE id = ?');
  function keyOf(taskId: string): number | undefined {
    const task = findTask.get(toDatabaseText(taskId));
    return task && integer(task, 'key');
  }
  return {
    readEvents: prepareReadEvents(database, keyOf),
    readStatusEvent: prepareReadStatusEvent(database, keyOf),
    readSnapshot: prepareReadSnapshot(database),
  } satisfies Partial<StoreReads>;
}

type KeyOf = (taskId: string) => number | undefined;

function prepareReadEvents(database: DatabaseSync, keyOf: KeyOf): StoreReads['readEvents'] {
  const selectRows = database.prepare(`
    SELECT first_sequence, lines FROM journal
    WHERE position > (? << 32) + ? AND position <= (? << 32) + 4294967295
    ORDER BY position LIMIT ?`);

  return (taskId, after, limit) => {
    const key = keyOf(taskId);
    if (key === undefined) return [];
    const events: CommittedEvent[] = [];
    const first = Math.max(0, after) + 1;
    let characters = 0;
    // One by one: a row can be long, and those that are not wanted must not be loaded.
    for (const row of selectRows.iterate(key, first - 1, key, limit)) {
      const firstSequence = integer(row, 'first_sequence');
      const lines = storedText(row, 'lines');
      const wanted = rowToEvents(firstSequence, lines).slice(Math.max(0, first - firstSequence));
      events.push(...wanted.slice(0, limit - events.length));
      characters += lines.length;
      if (events.length >= limit || characters >= ENOUGH_CHARACTERS) break;
    }
    return events;
  };
}

/** Costs two seeks however long the journal is: each row stores the newest status event at or before its end. */
function prepareReadStatusEvent(database: DatabaseSync, keyOf: KeyOf): StoreReads['readStatusEvent'] {
  const rowFrom = database.prepare(`
    SELECT first_sequence, status_sequence, lines FROM journal
    WHERE position BETWEEN (? << 32) + ? AND (? << 32) + 4294967295 ORDER BY position LIMIT 1`);
  const rowBefore = database.prepare(`
    SELECT first_sequence, status_sequence, lines FROM journal
    WHERE position >= (? << 32) AND position < (? << 32) + ? ORDER BY position DESC LIMIT 1`);

  function statusAtEndOf(key: number, row: Row | undefined): CommittedEvent | undefined {
    if (row === undefined) return undefined;
    const statusSequence = integer(row, 'status_sequence');
    if (statusSequence === 0) return undefined;
    const holding =
      statusSequence >= integer(row, 'first_sequence') ? row : rowFrom.get(key, statusSequence, key);
    if (holding === undefined) return undefined;
    return rowToStatusEvent(integer(holding, 'first_sequence'), storedText(holding, 'lines'), statusSequence);
  }

  return (taskId, sequence) => {
    const key = keyOf(taskId);
    if (key === undefined) return undefined;
    const around = rowFrom.get(key, Math.max(0, sequence), key);
    if (around === undefined) return statusAtEndOf(key, rowBefore.get(key, key, sequence));
    const firstSequence = integer(around, 'first_sequence');
    return (
      rowToStatusEvent(firstSequence, storedText(around, 'lines'), sequence) ??
      statusAtEndOf(key, rowBefore.get(key, key, firstSequence))
    );
  };
}

function prepareReadSnapshot(database: DatabaseSync): StoreReads['readSnapshot'] {
  const select = database.prepare(
    'SELECT sequence, json FROM tasks JOIN snapshots ON task = tasks.key WHERE id = ? AND octet_length(json) <= ?',
  );
  return (taskId, mostCharacters = Number.MAX_SAFE_INTEGER) => {
    const row = select.get(toDatabaseText(taskId), mostCharacters);
    return row && { sequence: integer(row, 'sequence'), json: storedText(row, 'json') };
  };
}

/** Expects owner and key in escaped form, because that is what the writer thread has. */
export function prepareFindIdempotencyKey(
  database: DatabaseSync,
): (owner: string, key: string) => IdempotencyEntry | undefined {
  const select = database.prepare(
    'SELECT task_id, payload_hash FROM idempotency WHERE owner = ? AND key = ?',
  );
  return (owner, key) => {
    const row = select.get(owner, key);
    return row && { taskId: text(row, 'task_id'), payloadHash: text(row, 'payload_hash') };
  };
}
