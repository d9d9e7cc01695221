import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from '../describe-store.ts';
import { createSampleTask, readAllEvents, sampleEntries, sampleStatus, sampleTask } from '../sample-task.ts';

export function describeReopening(underTest: StoreUnderTest): void {
  describe('opened again', () => {
    it('has everything that was acknowledged (J1)', async () => {
      const before = underTest.store;
      const task = await createSampleTask(before, { idempotency: { key: 'key-1', payloadHash: 'hash-1' } });
      const { taskId, owner } = task;
      expect(await before.acquireLease(taskId, 'process-1')).toBe(2);
      await before.append({
        taskId,
        fence: 2,
        firstSequence: 2,
        entries: [
          ...sampleEntries(2, 2),
          { json: '{"statusUpdate":{}}', internal: '{"s":1}', changesStatus: true },
        ],
        status: sampleStatus('TASK_STATE_INPUT_REQUIRED', 1_700_000_000_900),
        releaseLease: true,
        idempotency: { owner, key: 'key-2', payloadHash: 'hash-2' },
      });
      await before.writeSnapshot(taskId, { sequence: 3, json: '{"at":3}' });
      await before.putRecord('keys', 'a', 'kept');
      await before.putRecord('keys', 'b', 'removed');
      await before.deleteRecord('keys', 'b');
      const header = await before.readTask(taskId);
      const events = await readAllEvents(before, taskId);

      const after = await underTest.reopen();
      expect(await after.readTask(taskId)).toEqual(header);
      expect(await readAllEvents(after, taskId)).toEqual(events);
      expect(await after.readStatusEvent(taskId, 9)).toMatchObject({ sequence: 4, internal: '{"s":1}' });
      expect(await after.readSnapshot(taskId)).toEqual({ sequence: 3, json: '{"at":3}' });
      expect(await after.findIdempotencyKey(owner, 'key-1')).toEqual({ taskId, payloadHash: 'hash-1' });
      expect(await after.findIdempotencyKey(owner, 'key-2')).toEqual({ taskId, payloadHash: 'hash-2' });
      expect(await after.createTask(sampleTask({ idempotency: { key: 'key-1', payloadHash: 'x' } }))).toEqual(
        {
          created: false,
          existing: { taskId, payloadHash: 'hash-1' },
        },
      );
      expect(await after.listRecords('keys')).toEqual([{ key: 'a', value: 'kept' }]);
    });

    it('keeps an idempotency key with the task that took it first', async () => {
      const before = underTest.store;
      const tasks = [];
      for (let count = 0; count < 6; count += 1) tasks.push(await createSampleTask(before));
      for (const { taskId, owner } of tasks) {
        const idempotency = { owner, key: 'key-1', payloadHash: taskId };
        await before.append({
          taskId,
          fence: 1,
          firstSequence: 2,
          entries: sampleEntries(2, 1),
          idempotency,
        });
      }
      const first = tasks[0]?.taskId;
      const after = await underTest.reopen();
      expect(await after.findIdempotencyKey('tenant/alice', 'key-1')).toEqual({
        taskId: first,
        payloadHash: first,
      });
    });

    it('continues fences, sequence numbers and the order of lists', async () => {
      const before = underTest.store;
      const tasks = [];
      for (let count = 0; count < 5; count += 1) tasks.push(await createSampleTask(before));
      const firstPage = await before.listTasks({ owner: 'tenant/alice', limit: 2 });
      const [first] = tasks;
      if (first === undefined || firstPage.nextCursor === undefined)
        throw new Error('Expected a task and a cursor.');
      expect(await before.acquireLease(first.taskId, 'process-1')).toBe(2);

      const after = await underTest.reopen();
      expect(await after.acquireLease(first.taskId, 'process-1')).toBe(3);
      const stale = after.append({
        taskId: first.taskId,
        fence: 2,
        firstSequence: 2,
        entries: sampleEntries(2, 1),
      });
      await expect(stale).rejects.toMatchObject({ code: 'stale-fence' });
      await after.append({ taskId: first.taskId, fence: 3, firstSequence: 2, entries: sampleEntries(2, 1) });

      const newest = await createSampleTask(after);
      const rest = await after.listTasks({ owner: 'tenant/alice', limit: 9, cursor: firstPage.nextCursor });
      const createdOrder = tasks.map((task) => task.taskId);
      expect(rest.tasks.map((task) => task.taskId)).toEqual(createdOrder.slice(0, 3).toReversed());
      const all = await after.listTasks({ owner: 'tenant/alice', limit: 9 });
      expect(all.tasks.map((task) => task.taskId)).toEqual([...createdOrder, newest.taskId].toReversed());
      expect(all.totalSize).toBe(6);
    });
  });
}
