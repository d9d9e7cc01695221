import { describe, expect, it, vi } from 'vitest';
import type { StoreUnderTest } from '../describe-store.ts';
import { createSampleTask, sampleEntries } from '../sample-task.ts';

export function describeCommits(underTest: StoreUnderTest): void {
  describe('commit listeners', () => {
    it('are called for each commit when its events can be read (J1)', async () => {
      const { store } = underTest;
      const received = new Map<string, number>();
      const reads: Promise<boolean>[] = [];
      store.onCommit((commits) => {
        for (const { taskId, lastSequence } of commits) {
          received.set(taskId, lastSequence);
          reads.push(store.readTask(taskId).then((task) => (task?.lastSequence ?? 0) >= lastSequence));
        }
      });

      const tasks = await Promise.all(Array.from({ length: 10 }, () => createSampleTask(store)));
      await Promise.all(
        tasks.map(({ taskId }) =>
          store.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 4) }),
        ),
      );
      await vi.waitFor(() => {
        for (const { taskId } of tasks) expect(received.get(taskId)).toBe(5);
      });
      expect(new Set(await Promise.all(reads))).toEqual(new Set([true]));
    });

    it('are not called for rejected writes, nor after they are removed', async () => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store);
      const received: number[] = [];
      const early: number[] = [];
      const remove = store.onCommit((commits) => early.push(...commits.map((commit) => commit.lastSequence)));
      remove();
      store.onCommit((commits) => received.push(...commits.map((commit) => commit.lastSequence)));

      const refused = store.append({ taskId, fence: 1, firstSequence: 9, entries: sampleEntries(9, 1) });
      await expect(refused).rejects.toMatchObject({ code: 'sequence-conflict' });
      await store.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) });
      await vi.waitFor(() => expect(received).toContain(2));
      expect(received).not.toContain(9);
      expect(early).toEqual([]);
    });
  });
}
