import { overrideStore, sampleStatus } from '@holdword/store/testing';
import type { NewTask, Store } from '@holdword/store';
import { expect, test } from 'vitest';
import type { TaskPage } from '../api/tasks.ts';
import { startTestConsole, type Sender, type TestConsole } from '../testing/start-test-console.ts';

const BASE = Date.parse('2026-01-01T00:00:00Z');
const STATES = ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED'] as const;

/** The form of new ids: their time, and a random part that is a number here. */
function idOf(index: number): string {
  const time = (BASE + index * 1_000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(index).padStart(12, '0')}`;
}

function generatedTask(index: number): NewTask {
  const taskId = idOf(index);
  const task = { id: taskId, metadata: { ticket: `T-${index}` }, history: [] };
  return {
    taskId,
    owner: JSON.stringify(['', `key:${index % 3 === 0 ? 'alice' : 'bob'}`]),
    contextId: `context-${Math.floor(index / 4)}`,
    status: sampleStatus(
      index % 100 === 0 ? (STATES[1 + ((index / 100) % 2)] ?? STATES[0]) : STATES[0],
      BASE + index * 1_000,
    ),
    entries: [{ json: JSON.stringify({ task }), changesStatus: true }],
  };
}

async function generate(store: Store, count: number): Promise<void> {
  for (let start = 0; start < count; start += 5_000) {
    const batch = Array.from({ length: Math.min(5_000, count - start) }, (_, index) =>
      generatedTask(start + index),
    );
    await Promise.all(batch.map((task) => store.createTask(task)));
  }
}

async function list(
  view: TestConsole,
  as: Sender,
  query: Record<string, string | readonly string[]> = {},
): Promise<TaskPage> {
  const { body, status, text } = await view.call('listTasks', { as, query });
  if (status !== 200) throw new Error(text);
  return body;
}

async function readPages(
  view: TestConsole,
  as: Sender,
  query: Record<string, string | readonly string[]>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: TaskPage = await list(view, as, { ...query, ...(cursor !== undefined && { cursor }) });
    ids.push(...page.tasks.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids;
}

test(
  'filters by state, owner, context, time and text, alone and together, page by page',
  { timeout: 240_000 },
  async () => {
    const view = await startTestConsole();
    const [operator, alice] = [await view.key('ops', 'operator'), await view.key('alice')];
    const count = 900;
    await generate(view.store, count);
    const all = Array.from({ length: count }, (_, index) => generatedTask(index)).toReversed();
    const expected = (accepts: (task: NewTask) => boolean): string[] =>
      all.filter(accepts).map(({ taskId }) => taskId);

    expect(await readPages(view, operator, { limit: '100' })).toEqual(expected(() => true));
    expect(await readPages(view, alice, { limit: '100' })).toEqual(expected(isOf('alice')));
    const bob = JSON.stringify(['', 'key:bob']);
    expect(await readPages(view, operator, { owner: bob, limit: '100' })).toEqual(expected(isOf('bob')));
    expect(await readPages(view, alice, { owner: bob })).toEqual([]);
    const unusual = ['TASK_STATE_FAILED', 'TASK_STATE_CANCELED'];
    expect(await readPages(view, operator, { state: unusual, limit: '2' })).toEqual(
      expected(({ status }) => unusual.includes(status.state)),
    );
    expect(await readPages(view, operator, { state: [...STATES], limit: '50' })).toEqual(
      expected(() => true),
    );
    const [from, to] = [100, 250].map((index) => new Date(BASE + index * 1_000).toISOString());
    const range = { from: from ?? '', to: to ?? '' };
    expect(await readPages(view, operator, { ...range, limit: '20' })).toEqual(expected(inTime));
    expect(await readPages(view, alice, { ...range, limit: '20' })).toEqual(
      expected((task) => inTime(task) && isOf('alice')(task)),
    );
    expect(await readPages(view, operator, { context: 'context-7' })).toEqual(
      expected(({ contextId }) => contextId === 'context-7'),
    );
    expect(await readPages(view, operator, { context: 'context-7', owner: bob })).toEqual(
      expected((task) => task.contextId === 'context-7' && isOf('bob')(task)),
    );
    expect(await readPages(view, operator, { text: 't-42', limit: '5' })).toEqual(
      expected(({ taskId }) => String(Number(taskId.slice(-12))).startsWith('42')),
    );
    expect(await readPages(view, operator, { text: idOf(17) })).toEqual([idOf(17)]);
    expect(await readPages(view, alice, { text: 'T-1', state: 'TASK_STATE_FAILED' })).toEqual(
      expected(
        (task) =>
          isOf('alice')(task) &&
          task.status.state === 'TASK_STATE_FAILED' &&
          /T-1/.test(task.entries[0]?.json ?? ''),
      ),
    );
  },
);

test('refuses filters and cursors that it does not understand', async () => {
  const view = await startTestConsole();
  const as = await view.key('ops', 'operator');
  const wrong: Record<string, string>[] = [
    { state: 'DONE' },
    { limit: '0' },
    { limit: '1e9' },
    { from: 'yesterday' },
    { cursor: 'x' },
    { nonsense: '1' },
  ];
  for (const query of wrong) {
    const { status, body } = await view.call('listTasks', { as, query });
    expect(status, JSON.stringify(query)).toBe(400);
    expect(body.error?.code).toBe('INVALID_PARAMS');
  }
});

function isOf(name: string): (task: NewTask) => boolean {
  return ({ owner }) => owner.includes(`key:${name}`);
}

function inTime({ status: { time } }: NewTask): boolean {
  return time >= BASE + 100_000 && time <= BASE + 250_000;
}

/** Counts what a store reads. */
function countingStore(store: Store): {
  store: Store;
  reads: { listed: number; events: number; headers: number };
} {
  const reads = { listed: 0, events: 0, headers: 0 };
  const counting = overrideStore(store, {
    listAllTasks: async (query) => {
      const page = await store.listAllTasks(query);
      reads.listed += page.tasks.length;
      return page;
    },
    readEvents: async (...parameters) => {
      const events = await store.readEvents(...parameters);
      reads.events += events.length;
      return events;
    },
    readTask: async (taskId) => {
      reads.headers += 1;
      return store.readTask(taskId);
    },
  });
  return { store: counting, reads };
}

test('a page costs the same in a store of 200,000 tasks, wherever it is', { timeout: 600_000 }, async () => {
  const real = await startTestConsole();
  const count = 200_000;
  await generate(real.store, count);
  const { store, reads } = countingStore(real.store);
  const view = await startTestConsole({ store });
  const as = await view.key('ops', 'operator');
  async function costOf(query: Record<string, string>): Promise<{ page: TaskPage; cost: number }> {
    Object.assign(reads, { listed: 0, events: 0, headers: 0 });
    const page = await list(view, as, query);
    return { page, cost: reads.listed + reads.events + reads.headers };
  }
  const first = await costOf({ limit: '50' });
  expect(first.page.tasks[0]?.id).toBe(idOf(count - 1));
  const middle = await costOf({
    limit: '50',
    cursor: Buffer.from(JSON.stringify(idOf(100_000))).toString('base64url'),
  });
  expect(middle.page.tasks[0]?.id).toBe(idOf(99_999));
  const last = await costOf({ limit: '50', to: new Date(BASE + 49_000).toISOString() });
  expect(last.page.tasks.at(-1)?.id).toBe(idOf(0));
  const failed = await costOf({ limit: '50', state: 'TASK_STATE_FAILED' });
  expect(failed.page.tasks).toHaveLength(50);
  for (const { cost } of [first, middle, last, failed]) expect(cost).toBe(50);
  // A search that finds nothing stops and says how far it got.
  const search = await costOf({ limit: '50', text: 'nothing has this' });
  expect(search.cost).toBeLessThanOrEqual(1_000);
  expect(search.page).toMatchObject({
    tasks: [],
    nextCursor: expect.any(String),
    searchedUntil: expect.any(String),
  });

  // The database reads as many rows as the page has: each page uses an index in its order.
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(`${real.folder}/holdword.db`, { readOnly: true });
  const plans = [
    "SELECT key FROM tasks WHERE id >= '' AND id < 'x' ORDER BY id DESC LIMIT 51",
    "SELECT key FROM tasks INDEXED BY tasks_unusual WHERE state IN (4, 5, 6, 7, 8) AND state = 4 AND id >= '' AND id < 'x' ORDER BY id DESC LIMIT 51",
  ].map((sql) => JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()));
  database.close();
  for (const plan of plans) {
    expect(plan).toContain('SEARCH');
    expect(plan).not.toContain('TEMP B-TREE');
  }
});
