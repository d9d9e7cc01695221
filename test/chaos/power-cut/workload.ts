import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openJsonFileStore, openSqliteStore, type Store } from '@holdword/store';
import { Random } from '../random.ts';
import { eventJson } from './event-json.ts';

/*
 * Writes to a store, and says what was acknowledged. Is run as a program, with the backend, the folder, the seed and the number
 * of tasks.
 */

const [, , backend, folder = '', seed = '', tasks = '0'] = process.argv;
const WRITERS = 4;
const TASKS_KEPT_RATIO = 0.7;

/** Without a buffer, and as one call of the operating system: its place among the others is recorded. */
function note(...words: (string | number)[]): void {
  writeSync(1, `${words.join(' ')}\n`);
}

function statusOf(state: 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED') {
  return { state, time: 1, json: JSON.stringify({ state }) };
}

async function writeTask(store: Store, taskId: string, random: Random): Promise<void> {
  const json = (sequence: number): string => eventJson(taskId, sequence);
  await store.createTask({
    taskId,
    owner: 'owner',
    contextId: 'context',
    status: statusOf('TASK_STATE_WORKING'),
    entries: [{ json: json(1), changesStatus: true }],
    holder: 'workload',
    idempotency: { key: `key of ${taskId}`, payloadHash: 'hash' },
  });
  note('acknowledged', taskId, 1);
  let last = 1;
  const appends = random.integer(1, 6);
  for (let append = 1; append <= appends; append += 1) {
    const entries = Array.from({ length: random.integer(1, 4) }, (_, index) => ({
      json: json(last + 1 + index),
      changesStatus: true,
    }));
    const state = append === appends ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_WORKING';
    await store.append({ taskId, fence: 1, firstSequence: last + 1, entries, status: statusOf(state) });
    last += entries.length;
    note('acknowledged', taskId, last);
  }
  await store.putRecord('last', taskId, String(last));
  note('recorded', taskId, last);
  if (random.chance(TASKS_KEPT_RATIO)) return;
  note('deleting', taskId);
  await store.retention?.deleteTask(taskId);
  note('deleted', taskId);
}

async function writeTasks(store: Store, writer: number, random: Random): Promise<void> {
  for (let index = 0; index < Number(tasks) / WRITERS; index += 1)
    await writeTask(store, `task-${writer}-${index}`, random.fork(String(index)));
}

/** A log that is as small as that of a test would not be copied into the database before the end. */
function checkpointNowAndThen(random: Random): () => void {
  if (backend !== 'sqlite') return () => {};
  const database = new DatabaseSync(join(folder, 'holdword.db'));
  database.exec('PRAGMA synchronous = FULL');
  const timer = setInterval(
    () => database.exec(`PRAGMA wal_checkpoint(${random.pick(['PASSIVE', 'FULL', 'TRUNCATE'])})`),
    20,
  );
  return () => {
    clearInterval(timer);
    database.close();
  };
}

const random = new Random(seed);
const store = await (backend === 'sqlite' ? openSqliteStore({ folder }) : openJsonFileStore({ folder }));
const stopCheckpoints = checkpointNowAndThen(random.fork('checkpoints'));
await Promise.all(
  Array.from({ length: WRITERS }, (_, writer) => writeTasks(store, writer, random.fork(`writer ${writer}`))),
);
stopCheckpoints();
await store.close();
