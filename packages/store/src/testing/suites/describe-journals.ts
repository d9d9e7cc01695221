import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../port.ts';
import type { StoreUnderTest } from '../describe-store.ts';
import { createSampleTask, readAllEvents, sampleEntries, sampleStatus, sampleTask } from '../sample-task.ts';

export function describeJournals(underTest: StoreUnderTest): void {
  describe('journals', () => {
    it('creates a task with its first events', async () => {
      const { store } = underTest;
      const task = sampleTask({ entries: [{ json: '{"n":1}', internal: '{"s":1}' }, { json: '{"n":2}' }] });

      expect(await store.createTask(task)).toEqual({ created: true, fence: 1 });
      expect(await store.readTask(task.taskId)).toEqual({
        taskId: task.taskId,
        owner: task.owner,
        contextId: task.contextId,
        state: 'TASK_STATE_SUBMITTED',
        statusTime: task.status.time,
        status: task.status.json,
        createdAt: task.status.time,
        firstSequence: 1,
        lastSequence: 2,
        fence: 1,
      });
      expect(await store.readEvents(task.taskId, 0, 10)).toEqual([
        { sequence: 1, json: '{"n":1}', internal: '{"s":1}' },
        { sequence: 2, json: '{"n":2}' },
      ]);
    });

    it('finds nothing for a task that was never created', async () => {
      const { store } = underTest;
      expect(await store.readTask('nobody')).toBeUndefined();
      expect(await store.readEvents('nobody', 0, 10)).toEqual([]);
      await expect(
        store.append({ taskId: 'nobody', fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) }),
      ).rejects.toMatchObject({ code: 'unknown-task' });
    });

    it('rejects a second task with the same ID and keeps the first', async () => {
      const { store } = underTest;
      const task = await createSampleTask(store);
      await expect(store.createTask({ ...task, owner: 'tenant/bob' })).rejects.toMatchObject({
        code: 'sequence-conflict',
      });
      expect(await store.readTask(task.taskId)).toMatchObject({ owner: 'tenant/alice', lastSequence: 1 });
    });

    it('appends events and takes the status from the append that has one', async () => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store);

      await store.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 3) });
      expect(await store.readTask(taskId)).toMatchObject({ state: 'TASK_STATE_SUBMITTED', lastSequence: 4 });

      const status = sampleStatus('TASK_STATE_WORKING', 1_700_000_000_500);
      await store.append({
        taskId,
        fence: 1,
        firstSequence: 5,
        entries: [{ json: '{"statusUpdate":{}}', changesStatus: true }],
        status,
      });
      expect(await store.readTask(taskId)).toMatchObject({
        state: 'TASK_STATE_WORKING',
        statusTime: status.time,
        status: status.json,
        createdAt: 1_700_000_000_000,
        lastSequence: 5,
      });
    });

    it('rejects gaps and duplicates (J2)', async () => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store);
      for (const firstSequence of [0, 1, 3]) {
        await expect(
          store.append({ taskId, fence: 1, firstSequence, entries: sampleEntries(firstSequence, 1) }),
        ).rejects.toMatchObject({ code: 'sequence-conflict' });
      }
      expect(await store.readTask(taskId)).toMatchObject({ lastSequence: 1 });
    });

    it('accepts one of two appends with the same sequence number (J2)', async () => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store);
      const results = await Promise.allSettled(
        ['{"first":1}', '{"second":1}'].map((json) =>
          store.append({ taskId, fence: 1, firstSequence: 2, entries: [{ json }] }),
        ),
      );
      expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
      expect(await store.readEvents(taskId, 1, 10)).toEqual([{ sequence: 2, json: '{"first":1}' }]);
    });

    it('keeps the order of 100 concurrent appends to several tasks (J2)', async () => {
      const { store } = underTest;
      const tasks = await Promise.all(Array.from({ length: 5 }, () => createSampleTask(store)));
      const appends: Promise<void>[] = [];
      for (let sequence = 2; sequence <= 21; sequence += 1) {
        for (const { taskId } of tasks) {
          const entries = [{ json: `{"task":"${taskId}","n":${sequence}}` }];
          appends.push(store.append({ taskId, fence: 1, firstSequence: sequence, entries }));
        }
      }
      await Promise.all(appends);

      for (const { taskId } of tasks) {
        const events = await store.readEvents(taskId, 1, 100);
        expect(events).toEqual(
          Array.from({ length: 20 }, (_, index) => ({
            sequence: index + 2,
            json: `{"task":"${taskId}","n":${index + 2}}`,
          })),
        );
      }
    });

    it('rejects only the invalid write among concurrent ones', async () => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store);
      const results = await Promise.allSettled([
        store.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) }),
        store.append({ taskId, fence: 7, firstSequence: 3, entries: sampleEntries(3, 1) }),
        store.append({ taskId: 'nobody', fence: 1, firstSequence: 3, entries: sampleEntries(3, 1) }),
        store.append({ taskId, fence: 1, firstSequence: 3, entries: sampleEntries(3, 1) }),
        store.putRecord('settings', 'theme', 'dark'),
      ]);
      expect(results.map((result) => result.status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'fulfilled',
        'fulfilled',
      ]);
      expect(await store.readTask(taskId)).toMatchObject({ lastSequence: 3 });
    });

    it('reads by cursor and limit, across appends of any size', async () => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store, { entries: sampleEntries(1, 1) });
      let next = 2;
      for (const count of [3, 1, 700, 2]) {
        await store.append({ taskId, fence: 1, firstSequence: next, entries: sampleEntries(next, count) });
        next += count;
      }
      const expected = sampleEntries(1, 707).map(({ json }, index) => ({ sequence: index + 1, json }));

      for (const pageSize of [7, 256, 1000]) {
        expect(await readAllEvents(store, taskId, pageSize)).toEqual(expected);
      }
      expect(await store.readEvents(taskId, 700, 3)).toEqual(expected.slice(700, 703));
      expect(await store.readEvents(taskId, 707, 3)).toEqual([]);
      expect(await store.readEvents(taskId, 900, 3)).toEqual([]);
    });

    it('preserves every character', async () => {
      const { store } = underTest;
      const text = 'Grüße 你好 👩‍👩‍👧‍👦 \u2028\u2029\u0000\u007f\ufeff \\n "quoted" \t\r\n';
      const entries: JournalEntry[] = [
        { json: JSON.stringify({ text }), internal: JSON.stringify({ text }), changesStatus: true },
        { json: '{"b":1.0,"a":1e21, "2":0,"1":0}' },
      ];
      const { taskId } = await createSampleTask(store, { entries, owner: `ö/${text}`, contextId: text });
      expect(await store.readEvents(taskId, 0, 10)).toEqual(
        entries.map(({ json, internal }, index) =>
          internal === undefined ? { sequence: index + 1, json } : { sequence: index + 1, json, internal },
        ),
      );
      const names = { owner: `ö/${text}`, contextId: text };
      expect(await store.readTask(taskId)).toMatchObject(names);
      expect(await store.listTasks({ ...names, limit: 5 })).toMatchObject({ tasks: [names], totalSize: 1 });
    });

    it('accepts client-chosen names of any length', async () => {
      const { store } = underTest;
      const [contextId, key] = [randomBytes(5000).toString('hex'), randomBytes(5000).toString('hex')];
      const { taskId, owner } = await createSampleTask(store, {
        contextId,
        idempotency: { key, payloadHash: 'hash' },
      });
      await createSampleTask(store, { contextId: contextId.slice(1) });
      const page = await store.listTasks({ owner, contextId, limit: 5 });
      expect(page).toMatchObject({ tasks: [{ taskId, contextId }], totalSize: 1 });
      expect(await store.findIdempotencyKey(owner, key)).toMatchObject({ taskId });
      expect(await store.findIdempotencyKey(owner, key.slice(1))).toBeUndefined();
    });

    it('accepts events of two mebibytes', async () => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store);
      const big = JSON.stringify({ text: 'é'.repeat(1024 * 1024) });
      const entries = [{ json: big }, { json: '{"small":1}' }, { json: big, internal: big }];
      await store.append({ taskId, fence: 1, firstSequence: 2, entries });
      const [, ...events] = await readAllEvents(store, taskId);
      expect(events).toHaveLength(3);
      expect(events[0]?.json === big).toBe(true);
      expect(events[1]).toEqual({ sequence: 3, json: '{"small":1}' });
      expect(events[2]?.json === big && events[2].internal === big).toBe(true);
    });

    it.each([
      ['no event', []],
      ['a line break', [{ json: '{\n}' }]],
      ['a tab', [{ json: '{}', internal: '{\t}' }]],
      ['an empty event', [{ json: '' }]],
    ])('rejects an append with %s', async (_, entries) => {
      const { store } = underTest;
      const { taskId } = await createSampleTask(store);
      const append = store.append({ taskId, fence: 1, firstSequence: 2, entries });
      await expect(append).rejects.toMatchObject({ code: 'invalid-entry' });
      await expect(store.createTask(sampleTask({ entries }))).rejects.toMatchObject({
        code: 'invalid-entry',
      });
      expect(await store.readTask(taskId)).toMatchObject({ lastSequence: 1 });
    });
  });
}
