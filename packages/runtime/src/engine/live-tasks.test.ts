import { openMemoryStore, StoreError, type Store } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { expect, test } from 'vitest';
import type { LiveTask } from './live-task.ts';
import { LiveTasks } from './live-tasks.ts';
import { randomTicks } from './testing/random-ticks.ts';
import { collectingLog, headerOf } from './testing/start-test-engine.ts';

function liveTasksOn(store: Store, holder = 'here', lines: string[] = []): LiveTasks {
  return new LiveTasks({ store, log: collectingLog(lines), includeSequence: true }, holder);
}

async function beginOn(liveTasks: LiveTasks, taskId = 't'): Promise<LiveTask> {
  const live = liveTasks.begin(taskId, { contextId: 'c', owner: 'me' });
  live.writeCreated({ id: taskId, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } });
  await live.flushed();
  return live;
}

/** A store with the task t that nobody holds, and a second process that is alive. */
async function storeWithTask(): Promise<Store> {
  const store = openMemoryStore();
  await store.heartbeat('here', 60_000);
  await store.heartbeat('there', 60_000);
  const liveTasks = liveTasksOn(store);
  liveTasks.close(await beginOn(liveTasks));
  return store;
}

test('all who open a task get the same one, until the last has closed it', async () => {
  const store = await storeWithTask();
  const header = await headerOf(store, 't');
  const liveTasks = liveTasksOn(store);
  const [first, second] = await Promise.all([liveTasks.open(header), liveTasks.open(header)]);
  expect(first).toBe(second);
  liveTasks.close(first);
  expect(liveTasks.find('t')).toBe(first);
  liveTasks.close(second);
  expect(liveTasks.find('t')).toBeUndefined();
  expect(liveTasks.size).toBe(0);
  const again = await liveTasks.open(header);
  expect(again).not.toBe(first);
  liveTasks.close(again);
});

test('a task that nobody uses is not held', async () => {
  const store = await storeWithTask();
  const header = await headerOf(store, 't');
  const here = liveTasksOn(store, 'here');
  const there = liveTasksOn(store, 'there');
  const live = await here.open(header);
  await expect(there.open(header)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
  expect(there.size).toBe(0);
  here.close(live);
  there.close(await there.open(header));
});

test('a lost task is disposed of at once: the next to open it acquires it again', async () => {
  const store = await storeWithTask();
  const header = await headerOf(store, 't');
  const liveTasks = liveTasksOn(store);
  const lost = await liveTasks.open(header);
  const fence = await store.acquireLease('t', 'here');
  lost.writeStatus('TASK_STATE_COMPLETED');
  await expect(lost.flushed()).rejects.toMatchObject({ code: 'stale-fence' });
  expect(liveTasks.find('t')).toBeUndefined();
  await store.releaseLease('t', fence as number);

  const next = await liveTasks.open(header);
  liveTasks.close(lost);
  expect(liveTasks.find('t')).toBe(next);
  next.writeStatus('TASK_STATE_FAILED');
  await next.flushed();
  liveTasks.close(next);
});

test('a lease that could not be released is released later', async () => {
  const real = await storeWithTask();
  const lines: string[] = [];
  let failures = 2;
  const store = overrideStore(real, {
    releaseLease: async (taskId, fence) => {
      if (failures-- > 0) throw new StoreError('unavailable', 'The disk is full.');
      return real.releaseLease(taskId, fence);
    },
  });
  const liveTasks = liveTasksOn(store, 'here', lines);
  liveTasks.close(await liveTasks.open(await headerOf(store, 't')));
  await expect.poll(() => lines.length).toBe(1);
  expect(await real.listOrphans(10)).toEqual([]);
  await liveTasks.releaseLeftovers();
  expect(await real.listOrphans(10)).toEqual([]);
  await liveTasks.releaseLeftovers();
  expect(await real.listOrphans(10)).toMatchObject([{ taskId: 't' }]);
});

test('a task that cannot be loaded is not held', async () => {
  const real = await storeWithTask();
  const store = overrideStore(real, {
    readEvents: async () => {
      throw new StoreError('corrupt', 'A line cannot be read.');
    },
  });
  const liveTasks = liveTasksOn(store);
  const header = await headerOf(real, 't');
  const opened = await Promise.allSettled([liveTasks.open(header), liveTasks.open(header)]);
  expect(opened.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(liveTasks.size).toBe(0);
  expect(await real.acquireLease('t', 'there')).toBeDefined();
});

test('opening and closing in any order leaves one live task at a time and nothing behind', async () => {
  const store = await storeWithTask();
  const header = await headerOf(store, 't');
  const liveTasks = liveTasksOn(store);
  let written = 0;
  const user = async (): Promise<void> => {
    for (let round = 0; round < 10; round += 1) {
      const live = await liveTasks.open(header);
      expect(liveTasks.find('t')).toBe(live);
      if (Math.random() < 0.5) {
        live.writeArtifact({ artifact: { artifactId: 'a', parts: [{ text: 'x' }] }, append: true });
        written += 1;
        await live.flushed();
      }
      await randomTicks(1);
      liveTasks.close(live);
      await randomTicks(1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, user));
  expect(liveTasks.size).toBe(0);
  expect((await headerOf(store, 't')).lastSequence).toBe(written + 1);
});
