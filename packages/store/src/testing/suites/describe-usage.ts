import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from '../describe-store.ts';
import { createSampleTask, sampleStatus } from '../sample-task.ts';

const OWNER = 'tenant/alice';
const TEXT = 'ä'.repeat(1_000);

export function describeUsage(underTest: StoreUnderTest, { isDurable }: { isDurable: boolean }): void {
  /** Reads the usage, once more after opening the data again if that is possible. */
  async function usage() {
    const before = await underTest.store.readUsage(OWNER);
    if (isDurable) expect(await (await underTest.reopen()).readUsage(OWNER)).toEqual(before);
    return before;
  }

  async function addTask(text: string): Promise<string> {
    const { store } = underTest;
    const { taskId } = await createSampleTask(store);
    await store.append({ taskId, fence: 1, firstSequence: 2, entries: [{ json: `{"text":"${text}"}` }] });
    const ended = { json: '{"statusUpdate":{}}', changesStatus: true };
    const status = sampleStatus('TASK_STATE_COMPLETED');
    await store.append({ taskId, fence: 1, firstSequence: 3, entries: [ended], status, releaseLease: true });
    return taskId;
  }

  describe('usage of an owner', () => {
    it('is nothing for an owner without tasks', async () => {
      expect(await underTest.store.readUsage('nobody')).toEqual({ tasks: 0, bytes: 0 });
    });

    it('counts tasks, and events in bytes rather than characters', async () => {
      await addTask(TEXT);
      await createSampleTask(underTest.store, { owner: 'tenant/bob' });
      const { tasks, bytes } = await usage();
      expect(tasks).toBe(1);
      expect(bytes).toBeGreaterThan(2_000);
      expect(bytes).toBeLessThan(2_300);
    });

    it('counts a snapshot once, however often it is written', async () => {
      const taskId = await addTask('');
      const { bytes } = await usage();
      for (const sequence of [2, 3, 1]) {
        await underTest.store.writeSnapshot(taskId, { sequence, json: `"${TEXT}${sequence}"` });
      }
      const growth = (await usage()).bytes - bytes;
      expect(growth).toBeGreaterThan(2_000);
      expect(growth).toBeLessThan(2_100);
    });

    it('is given back by retention', async () => {
      const empty = await usage();
      const [trimmed, deleted] = [await addTask(TEXT), await addTask(TEXT)];
      const full = await usage();
      await underTest.store.writeSnapshot(trimmed, { sequence: 3, json: '{}' });
      expect(await underTest.store.retention?.trimJournal(trimmed)).toBe(true);
      const afterTrim = await usage();
      expect(afterTrim.tasks).toBe(2);
      expect(full.bytes - afterTrim.bytes).toBeGreaterThan(1_900);
      await underTest.store.writeSnapshot(deleted, { sequence: 3, json: `"${TEXT}"` });
      for (const taskId of [trimmed, deleted]) await underTest.store.retention?.deleteTask(taskId);
      expect(await usage()).toEqual(empty);
    });
  });
}
