import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore, type NewTask } from '@holdword/store';

const FIRST_TIME = Date.parse('2026-01-01T00:00:00Z');
const SECOND = 1_000;
/** Of a hundred tasks, as many are made by the store and copied as often as needed. */
const TEMPLATES = 100;
const TEMPLATE_TIME = new Date(FIRST_TIME).toISOString();

/** The id of a filled task: new ids begin with their time, a task for every second. */
export function filledId(index: number): string {
  const time = (FIRST_TIME + index * SECOND).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(index).padStart(12, '0')}`;
}

/** When a filled task was created. */
export function filledTime(index: number): string {
  return new Date(FIRST_TIME + index * SECOND).toISOString();
}

/** Of each hundred tasks, the first has failed and the second was canceled. */
function stateAt(index: number): 'TASK_STATE_FAILED' | 'TASK_STATE_CANCELED' | 'TASK_STATE_COMPLETED' {
  if (index % TEMPLATES === 0) return 'TASK_STATE_FAILED';
  return index % TEMPLATES === 1 ? 'TASK_STATE_CANCELED' : 'TASK_STATE_COMPLETED';
}

function template(index: number): NewTask {
  const taskId = templateId(index);
  const state = stateAt(index);
  const message = {
    messageId: `m-${taskId}`,
    role: 'ROLE_AGENT',
    parts: [{ text: `The report on region ${index} is ready.` }],
  };
  const status = { state, timestamp: TEMPLATE_TIME, message };
  const asked = {
    messageId: `u-${taskId}`,
    role: 'ROLE_USER',
    parts: [{ text: `Report on region ${index}` }],
    metadata: { ticket: `T-${taskId}` },
  };
  const contextId = `context-${index}`;
  return {
    taskId,
    owner: JSON.stringify(['', index % 3 === 0 ? 'key:alice' : 'key:bob']),
    contextId,
    status: { state, time: FIRST_TIME, json: JSON.stringify(status) },
    entries: [
      {
        json: JSON.stringify({ task: { id: taskId, contextId, status, history: [asked] } }),
        changesStatus: true,
      },
    ],
  };
}

function templateId(index: number): string {
  return `template-${String(index).padStart(3, '0')}`;
}

/**
 * Fills an empty data folder with ended tasks, a million in less than a minute. The store writes the first ones; the others are copies
 * of their rows under ids and times of their own, which is all that distinguishes them.
 */
export async function fillTasks(folder: string, count: number): Promise<void> {
  const store = await openSqliteStore({ folder });
  // One after the other, so that their keys are in order.
  for (let index = 0; index < TEMPLATES; index += 1) await store.createTask(template(index));
  await store.close();
  const database = new DatabaseSync(join(folder, 'holdword.db'));
  try {
    database.exec(`
      PRAGMA synchronous = OFF;
      PRAGMA journal_mode = OFF;
      PRAGMA cache_size = -200000;
      BEGIN;
      CREATE TEMP TABLE filled AS
        WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < ${count})
        SELECT i, ${FIRST_TIME} + i * ${SECOND} AS time, printf('%012x', ${FIRST_TIME} + i * ${SECOND}) AS digits FROM numbers;
      INSERT INTO tasks (key, id, owner, context_id, state, status_time, status, created_at, holder, fence)
        SELECT ${TEMPLATES} + 1 + i, substr(digits, 1, 8) || '-' || substr(digits, 9) || '-7000-8000-' || printf('%012d', i),
          owner, context_id || '-' || (i / ${TEMPLATES}), state, time,
          replace(status, '${TEMPLATE_TIME}', strftime('%Y-%m-%dT%H:%M:%SZ', time / 1000, 'unixepoch')), time, NULL, fence
        FROM filled JOIN tasks ON key = 1 + i % ${TEMPLATES};
      INSERT INTO journal (position, first_sequence, status_sequence, lines)
        SELECT (copied.key << 32) + 1, first_sequence, status_sequence,
          replace(replace(lines, original.id, copied.id), '${TEMPLATE_TIME}',
            strftime('%Y-%m-%dT%H:%M:%SZ', copied.created_at / 1000, 'unixepoch'))
        FROM tasks AS copied
        JOIN tasks AS original ON original.key = 1 + (copied.key - ${TEMPLATES} - 1) % ${TEMPLATES}
        JOIN journal ON position = (original.key << 32) + 1
        WHERE copied.key > ${TEMPLATES};
      DELETE FROM journal WHERE position >> 32 <= ${TEMPLATES};
      DELETE FROM tasks WHERE key <= ${TEMPLATES};
      DELETE FROM counts;
      INSERT INTO counts (owner, state, n, bytes)
        SELECT owner, state, count(*), sum(octet_length(lines)) FROM tasks JOIN journal ON position = (key << 32) + 1 GROUP BY owner, state;
      COMMIT;
      DROP TABLE filled;
      PRAGMA journal_mode = WAL;
    `);
  } finally {
    database.close();
  }
}
