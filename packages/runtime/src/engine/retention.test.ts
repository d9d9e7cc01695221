import { RESUME_EXTENSION } from '@holdword/protocol';
import { openMemoryStore, type Store } from '@holdword/store';
import { describe, expect, test } from 'vitest';
import {
  readStream,
  requestContext,
  send,
  sendForTask,
  startTestOperations,
  taskIn,
} from '../operations/testing/start-test-operations.ts';
import { firstPositions, forgetTasks, type ForgettingOptions, type RetentionOptions } from './retention.ts';
import { headerOf } from './testing/start-test-engine.ts';

const HOUR = 3_600_000;
const RESUMING = { extensions: new Set([RESUME_EXTENSION]) };

function forget(store: Store, options: RetentionOptions & Partial<ForgettingOptions>) {
  return forgetTasks({
    store,
    retention: store.retention ?? expect.fail('the store does not support retention'),
    isLive: () => false,
    now: Date.now() + 2 * HOUR,
    signal: new AbortController().signal,
    positions: firstPositions(),
    ...options,
  });
}

async function start() {
  const store = openMemoryStore();
  const { operations } = await startTestOperations(
    async (turn, sink) => {
      await sink.artifact({ artifactId: 'a', parts: 'one' });
      await sink.artifact({ artifactId: 'a', parts: 'two', append: true });
      if (turn.message.parts[0]?.text === 'ask') await sink.askInput('what?');
      else await sink.complete('done');
    },
    { store },
  );
  return { store, operations };
}

/** Tasks that ended long ago, one after another, with the numbers from 0 as ids. */
async function endTasks(store: Store, many: number): Promise<void> {
  for (let number = 0; number < many; number += 1) {
    const status = { state: 'TASK_STATE_COMPLETED', time: 1_000 + number, json: '{}' } as const;
    const entries = [{ json: '{}', changesStatus: true }];
    await store.createTask({ taskId: String(number), owner: 'o', contextId: 'c', status, entries });
  }
}

describe('removal', () => {
  test('removes tasks that ended long ago, with their keys, and keeps all others', async () => {
    const { store, operations } = await start();
    const ended = taskIn(await operations.sendMessage(send('go'), requestContext({ idempotencyKey: 'k' })));
    const waiting = await sendForTask(operations, 'ask');
    expect(await forget(store, { maxAgeHours: 3 })).toEqual({ removed: 0, compacted: 0 });
    expect(await forget(store, { maxAgeHours: 1 })).toEqual({ removed: 1, compacted: 0 });
    await expect(operations.getTask({ id: ended.id }, requestContext())).rejects.toMatchObject({
      code: 'TASK_NOT_FOUND',
    });
    expect((await operations.listTasks({}, requestContext())).tasks.map(({ id }) => id)).toEqual([
      waiting.id,
    ]);
    const again = taskIn(await operations.sendMessage(send('go'), requestContext({ idempotencyKey: 'k' })));
    expect(again.id).not.toBe(ended.id);
  });

  test('lets other components remove their data first, and keeps the task while they need it', async () => {
    const { store, operations } = await start();
    const [needed, ended] = [await sendForTask(operations, 'go'), await sendForTask(operations, 'go')];
    const found: unknown[] = [];
    const alsoForget = async (taskId: string): Promise<boolean> => {
      found.push(await store.readTask(taskId));
      return taskId !== needed.id;
    };
    expect(await forget(store, { maxAgeHours: 1, alsoForget })).toEqual({ removed: 1, compacted: 0 });
    expect(found).toEqual([needed, ended].map(({ id }) => expect.objectContaining({ taskId: id })));
    expect((await operations.listTasks({}, requestContext())).tasks.map(({ id }) => id)).toEqual([needed.id]);
  });

  test.each([
    ['by age', { maxAgeHours: 1 }],
    ['by number', { maxEndedTasks: 0 }],
  ])('removes tasks behind any number of kept ones, %s', async (_, limits) => {
    const store = openMemoryStore();
    await endTasks(store, 400);
    expect(
      await forget(store, { ...limits, alsoForget: async (taskId) => Number(taskId) >= 250 }),
    ).toMatchObject({ removed: 150 });
    expect(await forget(store, { ...limits })).toMatchObject({ removed: 250 });
  });

  test('continues in the next run where one stopped, and starts again after the last', async () => {
    const store = openMemoryStore();
    await endTasks(store, 5_150);
    const asked: number[] = [];
    const kept = new Set(Array.from({ length: 5_100 }, (_, index) => index));
    const alsoForget = async (taskId: string): Promise<boolean> => {
      asked.push(Number(taskId));
      return !kept.has(Number(taskId));
    };
    const options = { maxAgeHours: 1, alsoForget, positions: firstPositions() };
    expect(await forget(store, options)).toMatchObject({ removed: 0 });
    expect(asked).toHaveLength(5_000);
    kept.delete(0);
    expect(await forget(store, options)).toMatchObject({ removed: 50 });
    expect(asked).toHaveLength(5_150);
    expect(await forget(store, options)).toMatchObject({ removed: 1 });
  });

  test('keeps the newest of every owner', async () => {
    const { store, operations } = await start();
    const you = requestContext({ owner: { tenant: '', caller: 'you', authenticated: true } });
    const theirs = taskIn(await operations.sendMessage(send('go'), you));
    const mine: string[] = [];
    for (let count = 0; count < 130; count += 1) mine.push((await sendForTask(operations, 'go')).id);
    expect(await forget(store, { maxEndedTasks: 2 })).toMatchObject({ removed: 128 });
    const left = (await operations.listTasks({}, requestContext())).tasks.map(({ id }) => id);
    expect(left.toSorted()).toEqual(mine.slice(-2).toSorted());
    expect((await operations.getTask({ id: theirs.id }, you)).id).toBe(theirs.id);
  });

  test('keeps a task that this process still writes to', async () => {
    const { store, operations } = await start();
    await sendForTask(operations, 'go');
    expect(await forget(store, { maxAgeHours: 1, isLive: () => true })).toMatchObject({ removed: 0 });
  });
});

describe('a runtime with retention', () => {
  test('removes at its start what an earlier runtime left', async () => {
    const { store, operations } = await start();
    for (let count = 0; count < 3; count += 1) await sendForTask(operations, 'go');
    const second = await startTestOperations(async () => {}, { store, retention: { maxEndedTasks: 1 } });
    await expect.poll(async () => (await operations.listTasks({}, requestContext())).totalSize).toBe(1);
    await expect.poll(() => second.engine.logged.join()).toContain('"removed":2');
  });

  test('lets other components remove records, even if all tasks are kept', async () => {
    const { store } = await start();
    const runs: AbortSignal[] = [];
    const alsoRun = async (signal: AbortSignal): Promise<number> => runs.push(signal);
    const { engine } = await startTestOperations(async () => {}, { store, retention: { alsoRun } });
    await expect.poll(() => engine.logged.join()).toContain('"records":1');
    expect(runs).toHaveLength(1);
  });

  test('does not start on a store without retention', async () => {
    const store = openMemoryStore();
    Object.defineProperty(store, 'retention', { value: undefined });
    await expect(
      startTestOperations(async () => {}, { store, retention: { maxAgeHours: 1 } }),
    ).rejects.toThrow('store does not support retention');
  });
});

describe('compaction', () => {
  test('the task reads as before, and its journal has only the last event', async () => {
    const { store, operations } = await start();
    const { id } = await sendForTask(operations, 'go');
    const before = await operations.getTask({ id }, requestContext());
    expect(await forget(store, { compactAfterHours: 1 })).toEqual({ removed: 0, compacted: 1 });
    expect(await forget(store, { compactAfterHours: 1 })).toEqual({ removed: 0, compacted: 0 });
    expect(await operations.getTask({ id }, requestContext())).toEqual(before);
    const { firstSequence, lastSequence } = await headerOf(store, id);
    expect(firstSequence).toBe(lastSequence);
    expect(await store.readEvents(id, 0, 100)).toHaveLength(1);
  });

  test('a cursor from before it gets a gap marker and the whole task, a later one what it missed', async () => {
    const { store, operations } = await start();
    const { id } = await sendForTask(operations, 'go');
    const { lastSequence } = await headerOf(store, id);
    await forget(store, { compactAfterHours: 1 });

    const early = await readStream(
      operations.subscribeToTask({ id }, requestContext({ ...RESUMING, resumeAfter: 2 })),
    );
    expect(early.events).toEqual([
      {
        task: {
          ...(await operations.getTask({ id }, requestContext())),
          metadata: { [RESUME_EXTENSION]: { seq: lastSequence, gap: { from: 3, to: lastSequence - 1 } } },
        },
      },
    ]);
    const late = await readStream(
      operations.subscribeToTask({ id }, requestContext({ ...RESUMING, resumeAfter: lastSequence - 1 })),
    );
    expect(late.sequences).toEqual([lastSequence - 1, lastSequence]);
    expect(late.events[1]).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  test('a repeated send that is streamed gets the whole task', async () => {
    const { store, operations } = await start();
    const context = requestContext({ idempotencyKey: 'k' });
    const { id } = taskIn(await operations.sendMessage(send('go'), context));
    await forget(store, { compactAfterHours: 1 });
    const { events } = await readStream(operations.sendStreamingMessage(send('go'), context));
    expect(events[0]).toMatchObject({ task: { id, artifacts: [{ artifactId: 'a' }] } });
  });
});

test('a task whose content is in its events keeps them', async () => {
  const store = openMemoryStore();
  const { operations } = await startTestOperations(
    async (_turn, sink) => {
      for (let index = 0; index < 6; index += 1)
        await sink.artifact({ artifactId: 'a', parts: 'x'.repeat(1024 * 1024), append: index > 0 });
    },
    { store },
  );
  const sent = await sendForTask(operations, 'go');
  expect(await forget(store, { compactAfterHours: 1 })).toEqual({ removed: 0, compacted: 0 });
  expect(await operations.getTask({ id: sent.id }, requestContext())).toEqual(sent);
  expect(await forget(store, { maxAgeHours: 1 })).toEqual({ removed: 1, compacted: 0 });
});
