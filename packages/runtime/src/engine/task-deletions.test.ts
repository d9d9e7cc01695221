import { isTerminal } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { expect, test } from 'vitest';
import type { Turn } from '../executors/executor.ts';
import type { Observer, TaskDeletion } from '../observe/observer.ts';
import { deleteTaskHere, requestDeletion } from './task-deletions.ts';
import { beginTask, headerOf, patient, startTestEngine } from './testing/start-test-engine.ts';

/** An agent that works until its signal fires. */
function untilAborted() {
  const { promise: aborted, resolve } = Promise.withResolvers<unknown>();
  const execute = (turn: Turn): Promise<void> =>
    new Promise((done) => {
      turn.signal.addEventListener('abort', () => {
        resolve(turn.signal.reason);
        done();
      });
    });
  return { aborted, execute };
}

function collectDeletions(): { deletions: TaskDeletion[]; observer: Observer } {
  const deletions: TaskDeletion[] = [];
  return { deletions, observer: { taskDeleted: (deletion) => deletions.push(deletion) } };
}

test('a running task is canceled where it runs, its readers see that, and then it is deleted', async () => {
  const store = openMemoryStore();
  const { aborted, execute } = untilAborted();
  const { deletions, observer } = collectDeletions();
  const engine = await startTestEngine(execute, { store, observer });
  const taskId = await beginTask(engine, 'work');
  const { owner } = await headerOf(store, taskId);
  const states: unknown[] = [];
  const reading = (async () => {
    for await (const frames of engine.reader.follow(taskId, 0, isTerminal, patient))
      states.push(...frames.map(({ state }) => state));
  })();
  expect(await requestDeletion(store, taskId, 'ann@desk')).toBe(true);
  expect(await aborted).toMatchObject({ reason: 'canceled' });
  await reading;
  expect(states.at(-1)).toBe('TASK_STATE_CANCELED');
  expect(await store.readTask(taskId)).toBeUndefined();
  await expect.poll(() => deletions).toEqual([{ taskId, ownerKey: owner, by: 'ann@desk' }]);
  expect(engine.logged).toEqual([expect.stringMatching(/^Deleted a task for an operator\..*ann@desk/)]);
});

test('a task that another process runs is deleted, and that process aborts its turn', async () => {
  const store = openMemoryStore();
  const { aborted, execute } = untilAborted();
  const runner = await startTestEngine(execute, { store });
  const taskId = await beginTask(runner, 'work');
  const { deletions, observer } = collectDeletions();
  expect(await deleteTaskHere({ store, observer, holder: 'command' }, taskId, 'ann@desk')).toBe(true);
  expect(await aborted).toMatchObject({ reason: 'lost' });
  expect(await store.readTask(taskId)).toBeUndefined();
  expect(deletions).toMatchObject([{ taskId, by: 'ann@desk' }]);
});

test('an agent whose task is gone is told to stop, and the log says why', async () => {
  const store = openMemoryStore();
  const { promise: goOn, resolve: letGoOn } = Promise.withResolvers<void>();
  const { promise: aborted, resolve } = Promise.withResolvers<unknown>();
  const engine = await startTestEngine(
    async (turn, sink) => {
      turn.signal.addEventListener('abort', () => resolve(turn.signal.reason));
      await goOn;
      await sink.artifact({ parts: 'in vain' });
    },
    // Another process ends and deletes it, and no word of that arrives here.
    { store: overrideStore(store, { onCommit: () => () => {} }) },
  );
  const taskId = await beginTask(engine, 'work');
  await deleteTaskHere({ store, observer: {}, holder: 'command' }, taskId, 'ann@desk');
  letGoOn();
  expect(await aborted).toMatchObject({ reason: 'lost' });
  expect(engine.logged).toEqual([expect.stringMatching(/^A task was deleted while its agent worked on it/)]);
});

test('without a server the request is withdrawn', { timeout: 20_000 }, async () => {
  const store = openMemoryStore();
  const engine = await startTestEngine((_turn, sink) => sink.askInput('which?'), { store });
  const taskId = await beginTask(engine, 'work');
  await engine.reader.settled(taskId, patient);
  await engine.stop(0);
  expect(await requestDeletion(store, taskId, 'ann@desk')).toBe(false);
  expect(await store.listRecords('task-deletions')).toEqual([]);
  expect((await headerOf(store, taskId)).state).toBe('TASK_STATE_INPUT_REQUIRED');
});
