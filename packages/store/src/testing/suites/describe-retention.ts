import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, type TestContext } from 'vitest';
import type { EndedPage, ExcessCursor, PageCursor, Retention, Store } from '../../port.ts';
import type { StoreUnderTest } from '../describe-store.ts';
import { createSampleTask } from '../sample-task.ts';

const COMPLETED = '{"state":"TASK_STATE_COMPLETED"}';

export function describeRetention(underTest: StoreUnderTest, { isDurable }: { isDurable: boolean }): void {
  describe('retention', () => {
    it('lists only ended tasks, oldest first', async (context) => {
      const { store, retention } = requireRetention(underTest, context);
      await createSampleTask(store, { taskId: 'running' });
      for (const [taskId, time] of [
        ['third', 3_000],
        ['first', 1_000],
        ['second', 2_000],
      ] as const)
        await endedTask(store, taskId, time);
      const ids = async (until: number, limit: number) => idsOf(await retention.listEnded({ until, limit }));
      expect(await ids(9_000, 10)).toEqual(['first', 'second', 'third']);
      expect(await ids(2_000, 10)).toEqual(['first', 'second']);
      expect(await ids(9_000, 1)).toEqual(['first']);
    });

    it('lists the surplus tasks of an owner', async (context) => {
      const { store, retention } = requireRetention(underTest, context);
      for (const [taskId, time] of [
        ['b', 2_000],
        ['a', 1_000],
        ['c', 3_000],
      ] as const)
        await endedTask(store, taskId, time, 'me');
      await endedTask(store, 'other', 1_000, 'you');
      const ids = async (keep: number, limit: number) => idsOf(await retention.listExcess({ keep, limit }));
      expect(await ids(1, 10)).toEqual(['a', 'b']);
      expect(await ids(1, 1)).toEqual(['a']);
      expect(await ids(3, 10)).toEqual([]);
    });

    it('pages through ended tasks, even if several ended at the same time', async (context) => {
      const { store, retention } = requireRetention(underTest, context);
      const times = [1_000, 2_000, 2_000, 2_000, 3_000, 4_000];
      for (const [index, time] of times.entries()) await endedTask(store, `t-${index}`, time);
      await store.writeSnapshot('t-2', { sequence: 3, json: '{}' });
      await retention.trimJournal('t-2');
      const list = async (cursor?: PageCursor, untrimmed = false) =>
        retention.listEnded({ until: 3_000, untrimmed, limit: 2, ...(cursor && { cursor }) });

      const first = await list();
      expect(idsOf(first)).toEqual(['t-0', 't-1']);
      // The task at the cursor may have been deleted.
      await retention.deleteTask('t-1');
      expect(idsOf(await list(first.nextCursor, true))).toEqual(['t-3', 't-4']);
      const second = await list(first.nextCursor);
      expect(idsOf(second)).toEqual(['t-2', 't-3']);
      const third = await list(second.nextCursor);
      expect(third).toEqual({ tasks: [expect.objectContaining({ taskId: 't-4' })] });
    });

    it('pages through the surplus tasks of all owners and never lists those they keep', async (context) => {
      const { store, retention } = requireRetention(underTest, context);
      for (const owner of ['ann', 'bob', 'cid', 'dan'])
        for (let number = 0; number < (owner === 'cid' ? 2 : 5); number += 1)
          await endedTask(store, `${owner}-${number}`, 1_000 + Math.floor(number / 2), `${owner}\0`);
      const list = async (cursor?: ExcessCursor) =>
        retention.listExcess({ keep: 2, limit: 2, ...(cursor && { cursor }) });
      const pages: string[][] = [];
      for (let page = await list(); ; page = await list(page.nextCursor)) {
        pages.push(idsOf(page));
        if (page.nextCursor === undefined) break;
      }
      expect(pages).toEqual([
        ['ann-0', 'ann-1'],
        ['ann-2', 'bob-0'],
        ['bob-1', 'bob-2'],
        ['dan-0', 'dan-1'],
        ['dan-2'],
      ]);

      const first = await list();
      // Another process deleted a task: the first page still exists, and it is the whole surplus of this owner.
      await retention.deleteTask('ann-2');
      expect(idsOf(await list(first.nextCursor))).toEqual(['bob-0', 'bob-1']);
    });

    it('deletes a task with its journal, snapshot and keys', async (context) => {
      const { store, retention } = requireRetention(underTest, context);
      await endedTask(store, 't', 1_000, 'me', { key: 'k', payloadHash: 'h' });
      await endedTask(store, 'kept', 1_000, 'me', { key: 'k2', payloadHash: 'h' });
      await store.writeSnapshot('t', { sequence: 3, json: '{}' });
      expect(await retention.deleteTask('t')).toBe(true);
      expect(await retention.deleteTask('t')).toBe(false);
      expect(await store.readTask('t')).toBeUndefined();
      expect(await store.readEvents('t', 0, 10)).toEqual([]);
      expect(await store.readSnapshot('t')).toBeUndefined();
      expect(await store.findIdempotencyKey('me', 'k')).toBeUndefined();
      expect(await store.findIdempotencyKey('me', 'k2')).toMatchObject({ taskId: 'kept' });
      expect(await store.listTasks({ owner: 'me', limit: 10 })).toMatchObject({
        tasks: [{ taskId: 'kept' }],
        totalSize: 1,
      });
      await expect(append(store, 't', 4)).rejects.toMatchObject({ code: 'unknown-task' });
    });

    it('shows readers a task before or after its deletion or trimming, and nothing in between', async (context) => {
      const { store, retention } = requireRetention(underTest, context);
      const whole = [1, 2, 3];
      for (const [change, after] of [
        ['deleteTask', []],
        ['trimJournal', [3]],
      ] as const) {
        await endedTask(store, change, 1_000);
        await store.writeSnapshot(change, { sequence: 3, json: '{}' });
        const progress = { isDone: false };
        const changed = retention[change](change).finally(() => (progress.isDone = true));
        const reads: Promise<unknown>[] = [];
        while (!progress.isDone) {
          reads.push(
            store.readEvents(change, 0, 10).then((events) => events.map(({ sequence }) => sequence), String),
          );
          await nextTurn();
        }
        expect(await changed).toBe(true);
        for (const seen of await Promise.all(reads)) expect([whole, after]).toContainEqual(seen);
      }
    });

    it('does not touch a task that has not ended', async (context) => {
      const { store, retention } = requireRetention(underTest, context);
      const { taskId } = await createSampleTask(store);
      await store.writeSnapshot(taskId, { sequence: 1, json: '{}' });
      expect(await retention.deleteTask(taskId)).toBe(false);
      expect(await retention.trimJournal(taskId)).toBe(false);
      expect(await store.readTask(taskId)).toBeDefined();
    });

    it('trims a journal to its last event once a snapshot includes it', async (context) => {
      const { store, retention } = requireRetention(underTest, context);
      await endedTask(store, 't', 1_000);
      expect(await retention.trimJournal('t')).toBe(false);
      await store.writeSnapshot('t', { sequence: 2, json: '{}' });
      expect(await retention.trimJournal('t')).toBe(false);
      await store.writeSnapshot('t', { sequence: 3, json: '{"all":true}' });
      const listed = async (untrimmed: boolean) =>
        idsOf(await retention.listEnded({ until: 1_000, untrimmed, limit: 10 }));
      expect(await listed(true)).toEqual(['t']);
      expect(await retention.trimJournal('t')).toBe(true);
      expect(await listed(true)).toEqual([]);
      expect(await listed(false)).toEqual(['t']);

      expect(await store.readTask('t')).toMatchObject({ firstSequence: 3, lastSequence: 3 });
      expect(await store.readEvents('t', 0, 10)).toEqual([{ sequence: 3, json: '{"number":3}' }]);
      expect(await store.readEvents('t', 2, 10)).toHaveLength(1);
      expect(await store.readEvents('t', 3, 10)).toEqual([]);
      expect(await store.readStatusEvent('t', 3)).toMatchObject({ sequence: 3 });
      expect(await store.readStatusEvent('t', 2)).toBeUndefined();
      expect(await store.readSnapshot('t')).toEqual({ sequence: 3, json: '{"all":true}' });
    });

    it.runIf(isDurable)('is preserved when the store is opened again', (context) =>
      removeAndReopen(underTest, context),
    );

    it('accepts appends to a trimmed journal', async (context) => {
      const { store, retention } = requireRetention(underTest, context);
      await endedTask(store, 't', 1_000);
      await store.writeSnapshot('t', { sequence: 3, json: '{}' });
      await retention.trimJournal('t');
      await append(store, 't', 4);
      expect((await store.readEvents('t', 0, 10)).map(({ sequence }) => sequence)).toEqual([3, 4]);
      expect(await store.readTask('t')).toMatchObject({ firstSequence: 3, lastSequence: 4 });
    });
  });
}

/** Deleted tasks stay deleted and trimmed ones stay readable after reopening. */
async function removeAndReopen(underTest: StoreUnderTest, context: TestContext): Promise<void> {
  const { store: before, retention } = requireRetention(underTest, context);
  await endedTask(before, 'trimmed', 1_000, 'me', { key: 'k1', payloadHash: 'h' });
  await endedTask(before, 'removed', 1_000, 'me', { key: 'k2', payloadHash: 'h' });
  await before.writeSnapshot('trimmed', { sequence: 3, json: '{"all":true}' });
  await retention.trimJournal('trimmed');
  await append(before, 'trimmed', 4);
  await retention.deleteTask('removed');
  const header = await before.readTask('trimmed');

  const store = await underTest.reopen();
  expect(await store.readTask('trimmed')).toEqual(header);
  expect((await store.readEvents('trimmed', 0, 10)).map(({ sequence }) => sequence)).toEqual([3, 4]);
  expect(await store.readStatusEvent('trimmed', 4)).toMatchObject({ sequence: 3 });
  expect(await store.readSnapshot('trimmed')).toEqual({ sequence: 3, json: '{"all":true}' });
  expect(await store.findIdempotencyKey('me', 'k1')).toEqual({ taskId: 'trimmed', payloadHash: 'h' });
  expect(await store.readTask('removed')).toBeUndefined();
  expect(await store.findIdempotencyKey('me', 'k2')).toBeUndefined();
  expect((await store.listTasks({ owner: 'me', limit: 10 })).totalSize).toBe(1);
}

function idsOf({ tasks }: EndedPage<unknown>): string[] {
  return tasks.map(({ taskId }) => taskId);
}

/** The store, if it supports retention; otherwise the test is skipped. */
function requireRetention(
  { store }: StoreUnderTest,
  context: TestContext,
): { store: Store; retention: Retention } {
  const { retention } = store;
  if (retention === undefined) return context.skip('this backend has no retention');
  return { store, retention };
}

/** A task with three events, the last of which ends it. */
async function endedTask(
  store: Store,
  taskId: string,
  time: number,
  owner = 'owner',
  idempotency?: { key: string; payloadHash: string },
): Promise<void> {
  await store.createTask({
    taskId,
    owner,
    contextId: 'context',
    status: { state: 'TASK_STATE_WORKING', time, json: '{}' },
    entries: [{ json: '{"number":1}', changesStatus: true }, { json: '{"number":2}' }],
    ...(idempotency && { idempotency }),
  });
  await store.append({
    taskId,
    fence: 1,
    firstSequence: 3,
    entries: [{ json: '{"number":3}', changesStatus: true }],
    status: { state: 'TASK_STATE_COMPLETED', time, json: COMPLETED },
    releaseLease: true,
  });
}

async function append(store: Store, taskId: string, firstSequence: number): Promise<void> {
  await store.append({
    taskId,
    fence: 1,
    firstSequence,
    entries: [{ json: `{"number":${firstSequence}}` }],
  });
}
