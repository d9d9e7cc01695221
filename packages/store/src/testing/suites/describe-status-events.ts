import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../port.ts';
import type { StoreUnderTest } from '../describe-store.ts';
import { createSampleTask } from '../sample-task.ts';
import { seededRandom } from '../seeded-random.ts';

export function describeStatusEvents(underTest: StoreUnderTest): void {
  describe('status events', () => {
    it('finds the newest status at or before any sequence number', async () => {
      const { store } = underTest;
      const random = seededRandom(7);
      function entry(sequence: number): JournalEntry {
        const changesStatus = random.below(6) === 0;
        return {
          json: `{"n":${sequence},"status":${changesStatus}}`,
          internal: `{"n":${sequence}}`,
          changesStatus,
        };
      }
      const journal = [entry(1)];
      const { taskId } = await createSampleTask(store, { entries: [...journal] });
      const sizes = Array.from({ length: 60 }, () => 1 + random.below(3));
      for (const count of [...sizes, 300, 1, 2]) {
        const firstSequence = journal.length + 1;
        const entries = Array.from({ length: count }, (_, index) => entry(firstSequence + index));
        await store.append({ taskId, fence: 1, firstSequence, entries });
        journal.push(...entries);
      }

      for (let sequence = 0; sequence <= journal.length + 2; sequence += 1) {
        const index = journal.slice(0, sequence).findLastIndex((candidate) => candidate.changesStatus);
        const expected = journal[index];
        expect(await store.readStatusEvent(taskId, sequence)).toEqual(
          expected && { sequence: index + 1, json: expected.json, internal: expected.internal },
        );
      }
    });

    it('finds none in a journal without status events, nor in a task that does not exist', async () => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store, { entries: [{ json: '{}' }, { json: '{}' }] });
      await store.append({ taskId, fence: 1, firstSequence: 3, entries: [{ json: '{}' }] });
      expect(await store.readStatusEvent(taskId, 3)).toBeUndefined();
      expect(await store.readStatusEvent('nobody', 3)).toBeUndefined();
    });
  });
}
