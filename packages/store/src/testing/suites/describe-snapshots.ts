import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from '../describe-store.ts';
import { createSampleTask } from '../sample-task.ts';

export function describeSnapshots(underTest: StoreUnderTest): void {
  describe('snapshots', () => {
    it('starts without a snapshot and keeps the newest', async () => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store);
      expect(await store.readSnapshot(taskId)).toBeUndefined();

      await store.writeSnapshot(taskId, { sequence: 5, json: '{"at":5}' });
      await store.writeSnapshot(taskId, { sequence: 3, json: '{"at":3}' });
      expect(await store.readSnapshot(taskId)).toEqual({ sequence: 5, json: '{"at":5}' });

      await Promise.all(
        [9, 8, 7].map((sequence) => store.writeSnapshot(taskId, { sequence, json: `{"at":${sequence}}` })),
      );
      expect(await store.readSnapshot(taskId)).toEqual({ sequence: 9, json: '{"at":9}' });
    });

    it('rejects a snapshot of a task that does not exist', async () => {
      const { store } = underTest;
      await expect(store.writeSnapshot('nobody', { sequence: 1, json: '{}' })).rejects.toMatchObject({
        code: 'unknown-task',
      });
      expect(await store.readSnapshot('nobody')).toBeUndefined();
    });

    it('does not return one that is longer than the reader wants', async () => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store);
      await store.writeSnapshot(taskId, { sequence: 1, json: JSON.stringify('x'.repeat(1_000)) });
      expect(await store.readSnapshot(taskId, 500)).toBeUndefined();
      expect((await store.readSnapshot(taskId, 2_000))?.sequence).toBe(1);
    });
  });
}
