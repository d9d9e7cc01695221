import type { TaskState } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import type { TaskQuery } from '../../port.ts';
import type { StoreUnderTest } from '../describe-store.ts';
import { ListModel } from '../list-model.ts';
import { createSampleTask, sampleStatus } from '../sample-task.ts';
import { seededRandom } from '../seeded-random.ts';

const OWNERS = ['alice', 'bob'] as const;
const CONTEXTS = ['context-1', 'context-2', 'context-3'] as const;
const STATES: readonly [TaskState, ...TaskState[]] = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_INPUT_REQUIRED',
];

export function describeLists(underTest: StoreUnderTest): void {
  describe('lists', () => {
    it('is empty for an owner without tasks', async () => {
      const { store } = underTest;
      await createSampleTask(store, { owner: 'alice' });
      expect(await store.listTasks({ owner: 'bob', limit: 5 })).toEqual({
        tasks: [],
        cursors: [],
        totalSize: 0,
      });
    });

    it('sorts by status time, newest first, and ends without a cursor', async () => {
      const { store } = underTest;
      const times = [30, 10, 20];
      for (const time of times) {
        await createSampleTask(store, { owner: 'alice', status: sampleStatus('TASK_STATE_WORKING', time) });
      }
      const page = await store.listTasks({ owner: 'alice', limit: 3 });
      expect(page.tasks.map((task) => task.statusTime)).toEqual([30, 20, 10]);
      expect(page.nextCursor).toBeUndefined();
      const [first] = page.tasks;
      expect(first).toEqual(await store.readTask(first?.taskId ?? ''));
    });

    it('says for every task where a page that ends with it continues', async () => {
      const { store } = underTest;
      for (const time of [10, 20, 20, 30]) {
        await createSampleTask(store, { owner: 'alice', status: sampleStatus('TASK_STATE_WORKING', time) });
      }
      const { tasks, cursors } = await store.listTasks({ owner: 'alice', limit: 4 });
      expect(cursors).toHaveLength(4);
      for (const [index, cursor] of cursors.entries()) {
        const rest = await store.listTasks({ owner: 'alice', limit: 4, cursor });
        expect(rest.tasks).toEqual(tasks.slice(index + 1));
      }
    });

    it('continues after a page that ended early because its statuses are long', async () => {
      const { store } = underTest;
      for (const time of [10, 20, 30, 40, 50]) {
        await createSampleTask(store, { owner: 'alice', status: sampleStatus('TASK_STATE_WORKING', time) });
      }
      const times: number[] = [];
      for (let query: TaskQuery | undefined = { owner: 'alice', limit: 4, enoughCharacters: 1 }; query;) {
        const { tasks, nextCursor, totalSize } = await store.listTasks(query);
        expect(totalSize).toBe(5);
        expect(tasks.length).toBeGreaterThan(0);
        times.push(...tasks.map((task) => task.statusTime));
        query = nextCursor && { ...query, cursor: nextCursor };
      }
      expect(times).toEqual([50, 40, 30, 20, 10]);
    });

    it.each([1, 2, 3])(
      'matches a simple model for all filters while tasks change (seed %i)',
      async (seed) => {
        const { store } = underTest;
        const random = seededRandom(seed * 7919);
        const model = new ListModel(store);
        async function change(): Promise<void> {
          const status = sampleStatus(random.pick(STATES), random.below(12));
          if (model.size === 0 || random.below(2) === 0) {
            await model.create(random.pick(OWNERS), random.pick(CONTEXTS), status);
          } else {
            await model.move(random.below(model.size), status);
          }
        }
        for (let count = 0; count < 40; count += 1) await change();

        for (let round = 0; round < 24; round += 1) {
          const walk = model.walk({
            owner: random.pick(OWNERS),
            limit: 1 + random.below(6),
            ...(random.below(2) === 0 && { contextId: random.pick(CONTEXTS) }),
            ...(random.below(2) === 0 && { state: random.pick(STATES) }),
            ...(random.below(3) === 0 && { statusTimeFrom: random.below(12) }),
          });
          for (;;) {
            const { found, expected, hasMore } = await walk.nextPage();
            expect(found).toEqual(expected);
            if (!hasMore) break;
            await change();
          }
        }
      },
    );
  });
}
