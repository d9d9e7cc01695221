import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from '../describe-store.ts';
import { createSampleTask, sampleEntries, sampleTask } from '../sample-task.ts';

export function describeClosing(underTest: StoreUnderTest): void {
  describe('closing', () => {
    it('rejects every later call and can be repeated', async () => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store);
      await Promise.all([store.close(), store.close()]);
      await store.close();
      const calls = [
        store.createTask(sampleTask()),
        store.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) }),
        store.readTask(taskId),
        store.readEvents(taskId, 0, 1),
        store.readStatusEvent(taskId, 1),
        store.writeSnapshot(taskId, { sequence: 1, json: '{}' }),
        store.readSnapshot(taskId),
        store.listTasks({ owner: 'tenant/alice', limit: 1 }),
        store.findIdempotencyKey('tenant/alice', 'key'),
        store.heartbeat('process-1', 1000),
        store.isAlive('process-1'),
        store.acquireLease(taskId, 'process-1'),
        store.releaseLease(taskId, 1),
        store.listOrphans(1),
        store.getRecord('keys', 'a'),
        store.putRecord('keys', 'a', 'value'),
        store.deleteRecord('keys', 'a'),
        store.listRecords('keys'),
      ];
      for (const result of await Promise.allSettled(calls)) {
        expect(result).toMatchObject({ status: 'rejected', reason: { name: 'StoreError', code: 'closed' } });
      }
    });

    it('completes accepted writes', async () => {
      const { store } = underTest;
      const accepted = Promise.all([
        createSampleTask(store),
        store.putRecord('keys', 'a', 'value'),
        createSampleTask(store),
      ]);
      await store.close();
      await expect(accepted).resolves.toHaveLength(3);
    });
  });
}
