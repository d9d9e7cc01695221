import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from '../describe-store.ts';
import { createSampleTask, sampleEntries, sampleTask } from '../sample-task.ts';

export function describeIdempotency(underTest: StoreUnderTest): void {
  describe('idempotency keys', () => {
    it('creates one task for 50 concurrent requests with the same key (J8)', async () => {
      const { store } = underTest;
      const tasks = Array.from({ length: 50 }, (_, index) =>
        sampleTask({ idempotency: { key: 'key-1', payloadHash: `hash-${index}` } }),
      );
      const results = await Promise.all(tasks.map((task) => store.createTask(task)));

      const winner = tasks[results.findIndex((result) => result.created)];
      expect(results.filter((result) => result.created)).toHaveLength(1);
      const existing = { taskId: winner?.taskId, payloadHash: winner?.idempotency?.payloadHash };
      for (const result of results) if (!result.created) expect(result.existing).toEqual(existing);
      expect(await store.findIdempotencyKey('tenant/alice', 'key-1')).toEqual(existing);
      expect((await store.listTasks({ owner: 'tenant/alice', limit: 10 })).totalSize).toBe(1);
    });

    it('keeps the keys of different owners apart', async () => {
      const { store } = underTest;
      const idempotency = { key: 'key-1', payloadHash: 'hash' };
      const one = await createSampleTask(store, { owner: 'a', idempotency });
      const other = await createSampleTask(store, { owner: 'b', idempotency });
      expect(await store.findIdempotencyKey('a', 'key-1')).toMatchObject({ taskId: one.taskId });
      expect(await store.findIdempotencyKey('b', 'key-1')).toMatchObject({ taskId: other.taskId });
      expect(await store.findIdempotencyKey('c', 'key-1')).toBeUndefined();
      expect(await store.findIdempotencyKey('a', 'key-2')).toBeUndefined();
    });

    it('keeps keys apart that differ after a NUL', async () => {
      const { store } = underTest;
      const one = { key: 'key\0one', payloadHash: 'key\0one hash' };
      const other = { key: 'key\0other', payloadHash: 'key\0other hash' };
      const { taskId } = await createSampleTask(store, { owner: 'a\0b', idempotency: one });
      await createSampleTask(store, { owner: 'a\0b', idempotency: other });
      const existing = { taskId, payloadHash: 'key\0one hash' };
      expect(await store.findIdempotencyKey('a\0b', 'key\0one')).toEqual(existing);
      expect(await store.createTask(sampleTask({ owner: 'a\0b', idempotency: one }))).toEqual({
        created: false,
        existing,
      });
    });

    it('records a key with an append unless it is taken', async () => {
      const { store } = underTest;
      const { taskId, owner } = await createSampleTask(store);
      const other = await createSampleTask(store);
      await Promise.all([
        store.append({
          taskId,
          fence: 1,
          firstSequence: 2,
          entries: sampleEntries(2, 1),
          idempotency: { owner, key: 'turn-2', payloadHash: 'one' },
        }),
        store.append({
          taskId: other.taskId,
          fence: 1,
          firstSequence: 2,
          entries: sampleEntries(2, 1),
          idempotency: { owner, key: 'turn-2', payloadHash: 'other' },
        }),
      ]);
      expect(await store.findIdempotencyKey(owner, 'turn-2')).toEqual({ taskId, payloadHash: 'one' });
      expect(await store.readTask(other.taskId)).toMatchObject({ lastSequence: 2 });
    });

    it('does not record a key if the append is rejected', async () => {
      const { store } = underTest;
      const { taskId, owner } = await createSampleTask(store);
      const append = store.append({
        taskId,
        fence: 9,
        firstSequence: 2,
        entries: sampleEntries(2, 1),
        idempotency: { owner, key: 'turn-2', payloadHash: 'hash' },
      });
      await expect(append).rejects.toMatchObject({ code: 'stale-fence' });
      expect(await store.findIdempotencyKey(owner, 'turn-2')).toBeUndefined();
    });
  });
}
