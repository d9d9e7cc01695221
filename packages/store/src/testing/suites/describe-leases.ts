import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { StoreUnderTest } from '../describe-store.ts';
import { createSampleTask, sampleEntries, sampleStatus, sampleTask } from '../sample-task.ts';

const LONG = 60_000;
/** A time to live that has expired when the call returns. */
const OVER = -1;

export function describeLeases(underTest: StoreUnderTest): void {
  describe('leases', () => {
    it('is not affected by a clock that is set forward or back', async () => {
      const { store } = underTest;
      await store.heartbeat('process-1', LONG);
      await store.heartbeat('process-2', OVER);
      const { taskId } = await createSampleTask(store, { holder: 'process-1' });
      onTestFinished(() => void vi.useRealTimers());
      for (const hours of [48, -48]) {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
        expect(await store.isAlive('process-1')).toBe(true);
        expect(await store.isAlive('process-2')).toBe(false);
        expect(await store.listOrphans(5)).toEqual([]);
        expect(await store.acquireLease(taskId, 'process-2')).toBeUndefined();
        vi.useRealTimers();
      }
    });

    it('tracks which processes are alive', async () => {
      const { store } = underTest;
      await Promise.all([store.heartbeat('process-1', LONG), store.heartbeat('process-2', LONG)]);
      await store.heartbeat('process-2', OVER);
      const holders = ['process-1', 'process-2', 'process-3'];
      expect(await Promise.all(holders.map((holder) => store.isAlive(holder)))).toEqual([true, false, false]);
    });

    it('grants the lease to one living holder at a time', async () => {
      const { store } = underTest;
      await store.heartbeat('process-1', LONG);
      const { taskId } = await createSampleTask(store);
      expect(await store.acquireLease(taskId, 'process-2')).toBeUndefined();
      expect(await store.acquireLease(taskId, 'process-1')).toBe(2);
      expect(await store.readTask(taskId)).toMatchObject({ fence: 2 });
    });

    it('passes the lease on when its holder is gone, and rejects later writes of the old holder (J3)', async () => {
      const { store } = underTest;
      await store.heartbeat('process-1', LONG);
      const { taskId } = await createSampleTask(store);
      await store.heartbeat('process-1', OVER);
      expect(await store.acquireLease(taskId, 'process-2')).toBe(2);

      const late = store.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) });
      await expect(late).rejects.toMatchObject({ code: 'stale-fence' });
      await store.append({ taskId, fence: 2, firstSequence: 2, entries: sampleEntries(2, 1) });
      expect(await store.readTask(taskId)).toMatchObject({ lastSequence: 2 });
    });

    it('grants a free task to one of many concurrent callers', async () => {
      const { store } = underTest;
      const holders = Array.from({ length: 10 }, (_, index) => `process-${index + 10}`);
      await Promise.all(holders.map((holder) => store.heartbeat(holder, LONG)));
      const { taskId } = await createSampleTask(store);
      const fences = await Promise.all(holders.map((holder) => store.acquireLease(taskId, holder)));
      expect(fences.filter((fence) => fence !== undefined)).toEqual([2]);
    });

    it('takes the lease from a living holder by force, and rejects its later writes (J3)', async () => {
      const { store } = underTest;
      await store.heartbeat('process-1', LONG);
      const { taskId } = await createSampleTask(store);
      expect(await store.acquireLease(taskId, 'process-2')).toBeUndefined();
      expect(await store.acquireLease(taskId, 'process-2', { force: true })).toBe(2);
      const late = store.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) });
      await expect(late).rejects.toMatchObject({ code: 'stale-fence' });
    });

    it('releases the lease by call or with an append', async () => {
      const { store } = underTest;
      await store.heartbeat('process-1', LONG);
      const called = await createSampleTask(store);
      const appended = await createSampleTask(store);
      await store.releaseLease(called.taskId, 1);
      await store.append({
        taskId: appended.taskId,
        fence: 1,
        firstSequence: 2,
        entries: sampleEntries(2, 1),
        releaseLease: true,
      });
      expect(await store.acquireLease(called.taskId, 'process-2')).toBe(2);
      expect(await store.acquireLease(appended.taskId, 'process-2')).toBe(2);
    });

    it('creates a task without a holder', async () => {
      const { store } = underTest;
      const { holder: _, ...free } = sampleTask();
      await store.createTask(free);
      expect((await store.listOrphans(10)).map(({ taskId }) => taskId)).toEqual([free.taskId]);
      expect(await store.acquireLease(free.taskId, 'process-2')).toBe(2);
    });

    it('accepts appends with a released fence until the lease is acquired again (J3)', async () => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store);
      await store.releaseLease(taskId, 1);
      await store.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) });
      expect(await store.acquireLease(taskId, 'process-2')).toBe(2);
      const late = store.append({ taskId, fence: 1, firstSequence: 3, entries: sampleEntries(3, 1) });
      await expect(late).rejects.toMatchObject({ code: 'stale-fence' });
    });

    it('ignores a release with a stale fence', async () => {
      const { store } = underTest;
      await store.heartbeat('process-1', LONG);
      const { taskId } = await createSampleTask(store);
      expect(await store.acquireLease(taskId, 'process-1')).toBe(2);
      await store.releaseLease(taskId, 1);
      await store.releaseLease('nobody', 1);
      expect(await store.acquireLease(taskId, 'process-2')).toBeUndefined();
    });

    it('rejects a lease on a task that does not exist', async () => {
      await expect(underTest.store.acquireLease('nobody', 'process-1')).rejects.toMatchObject({
        code: 'unknown-task',
      });
    });

    it('lists running tasks without a living holder, oldest first (J7)', async () => {
      const { store } = underTest;
      await store.heartbeat('alive', LONG);
      await store.heartbeat('gone', OVER);
      await createSampleTask(store, { holder: 'alive' });
      const submitted = await createSampleTask(store, { holder: 'gone' });
      const working = await createSampleTask(store, {
        holder: 'never-seen',
        status: sampleStatus('TASK_STATE_WORKING', 1),
      });
      const free = await createSampleTask(store, { holder: 'alive' });
      await store.releaseLease(free.taskId, 1);
      for (const state of [
        'TASK_STATE_INPUT_REQUIRED',
        'TASK_STATE_AUTH_REQUIRED',
        'TASK_STATE_COMPLETED',
      ] as const) {
        await createSampleTask(store, { holder: 'gone', status: sampleStatus(state) });
      }

      const orphans = await store.listOrphans(10);
      expect(orphans.map((task) => task.taskId)).toEqual([submitted.taskId, working.taskId, free.taskId]);
      expect(orphans[0]).toEqual(await store.readTask(submitted.taskId));
      expect((await store.listOrphans(2)).map((task) => task.taskId)).toEqual([
        submitted.taskId,
        working.taskId,
      ]);

      await store.heartbeat('gone', LONG);
      expect((await store.listOrphans(10)).map((task) => task.taskId)).toEqual([working.taskId, free.taskId]);
    });
  });
}
