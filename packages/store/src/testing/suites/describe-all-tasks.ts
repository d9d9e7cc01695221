import type { TaskState } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import { MOST_READ } from '../../pages.ts';
import type { AllTasksQuery, Store } from '../../port.ts';
import type { StoreUnderTest } from '../describe-store.ts';
import { createSampleTask, sampleStatus } from '../sample-task.ts';
import { seededRandom } from '../seeded-random.ts';

const STATES = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_INPUT_REQUIRED',
] as const satisfies readonly TaskState[];

/** IDs that sort by number, with a letter that needs more than two bytes, and one beyond the first plane. */
function idOf(index: number): string {
  return `${String(index).padStart(5, '0')}-${index % 2 === 0 ? '—' : '𝄞'}`;
}

export function describeAllTasks(underTest: StoreUnderTest): void {
  describe('tasks of all owners', () => {
    it('lists nothing in an empty store', async () => {
      expect(await underTest.store.listAllTasks({ limit: 5 })).toEqual({ tasks: [] });
    });

    it('matches a simple model for all filters, page by page, while tasks change', async () => {
      const { store } = underTest;
      const random = seededRandom(4711);
      const states = new Map<string, TaskState>();
      for (let index = 0; index < 60; index += 1) {
        const taskId = idOf(index);
        const state = random.pick(STATES);
        await createSampleTask(store, {
          taskId,
          owner: random.pick(['alice', 'bob', 'carol']),
          status: sampleStatus(state),
        });
        states.set(taskId, state);
      }
      for (let round = 0; round < 40; round += 1) {
        await changeOne(store, states, idOf(random.below(60)), random.pick(STATES));
        const query: AllTasksQuery = {
          limit: 1 + random.below(9),
          ...(random.below(2) === 0 && { state: random.pick(STATES) }),
          ...(random.below(3) === 0 && { from: idOf(random.below(60)) }),
          ...(random.below(3) === 0 && { before: idOf(random.below(60)) }),
        };
        const { from = '', before = '~' } = query;
        const expected = [...states]
          .filter(([id, state]) => id >= from && id < before && state === (query.state ?? state))
          .map(([id]) => id)
          .toReversed();
        expect(await readPages(store, query)).toEqual(expected);
      }
      const [first] = (await store.listAllTasks({ limit: 1 })).tasks;
      expect(first).toEqual(await store.readTask(idOf(59)));
    });

    it('reads a bounded number of tasks for a page', async () => {
      const { store } = underTest;
      const failed = sampleStatus('TASK_STATE_FAILED');
      await createSampleTask(store, { taskId: idOf(0), status: sampleStatus('TASK_STATE_COMPLETED') });
      await Promise.all(
        Array.from({ length: MOST_READ + 1 }, (_, index) =>
          createSampleTask(store, { taskId: idOf(index + 1), status: failed }),
        ),
      );
      const page = await store.listAllTasks({ state: 'TASK_STATE_COMPLETED', limit: 5 });
      expect(page.tasks).toEqual([]);
      expect(page.nextCursor).toBe(idOf(2));
      expect(await readPages(store, { state: 'TASK_STATE_COMPLETED', limit: 5 })).toEqual([idOf(0)]);
    });

    it('no longer lists a task that was deleted', async () => {
      const { store } = underTest;
      await createSampleTask(store, { taskId: 'task-a', status: sampleStatus('TASK_STATE_FAILED') });
      await createSampleTask(store, { taskId: 'task-b', status: sampleStatus('TASK_STATE_FAILED') });
      await store.retention?.deleteTask('task-b');
      expect(await readPages(store, { limit: 5 })).toEqual(['task-a']);
      expect(await readPages(store, { state: 'TASK_STATE_FAILED', limit: 5 })).toEqual(['task-a']);
    });
  });

  describe('processes', () => {
    it('lists those that sent a heartbeat and says who holds a task', async () => {
      const { store } = underTest;
      expect(await store.listHolders()).toEqual([]);
      await store.heartbeat('process-1', 60_000);
      await store.heartbeat('process-2', -1_000);
      const holders = await store.listHolders();
      expect(holders.map(({ holder }) => holder)).toEqual(['process-1', 'process-2']);
      expect(holders.map(({ aliveMilliseconds }) => aliveMilliseconds > 0)).toEqual([true, false]);

      const { taskId } = await createSampleTask(store, { holder: 'process-1' });
      expect(await store.readHolder(taskId)).toBe('process-1');
      await store.releaseLease(taskId, 1);
      expect(await store.readHolder(taskId)).toBeUndefined();
      expect(await store.readHolder('unknown')).toBeUndefined();
    });
  });
}

async function changeOne(
  store: Store,
  states: Map<string, TaskState>,
  taskId: string,
  state: TaskState,
): Promise<void> {
  const header = await store.readTask(taskId);
  await store.append({
    taskId,
    fence: header?.fence ?? 0,
    firstSequence: (header?.lastSequence ?? 0) + 1,
    entries: [{ json: '{"statusUpdate":{}}', changesStatus: true }],
    status: sampleStatus(state),
  });
  states.set(taskId, state);
}

async function readPages(store: Store, query: AllTasksQuery): Promise<string[]> {
  const ids: string[] = [];
  for (let next: AllTasksQuery | undefined = query; next;) {
    const { tasks, nextCursor } = await store.listAllTasks(next);
    expect(tasks.length).toBeLessThanOrEqual(query.limit);
    ids.push(...tasks.map(({ taskId }) => taskId));
    next = nextCursor === undefined ? undefined : { ...query, before: nextCursor };
  }
  return ids;
}
