import { describe, expect, it, onTestFinished } from 'vitest';
import type { Administration } from '../../administration.ts';
import type { Store } from '../../port.ts';
import { createSampleTask, sampleEntries, sampleStatus } from '../sample-task.ts';

/** The database of one test. */
export interface AdministeredDatabase {
  readonly open: () => Promise<Store>;
  readonly administer: () => Promise<Administration>;
  /** Runs a statement directly on the database, bypassing the store. */
  readonly execute: (sql: string) => Promise<void>;
  /** The SQL condition for the row of a task's journal that ends with the given sequence number. */
  readonly rowsOf: (taskId: string, lastSequence: number) => string;
}

/** The tests for the administration of both databases. */
export function describeAdministration(name: string, prepare: () => Promise<AdministeredDatabase>): void {
  async function start() {
    const database = await prepare();
    const store = await database.open();
    onTestFinished(() => store.close());
    const administration = await database.administer();
    onTestFinished(() => administration.close());
    return { ...database, store, administration };
  }

  describe(`${name} administration`, () => {
    it('creates the tables, even concurrently, and reports their version', async () => {
      const { administer } = await prepare();
      const [first, second] = await Promise.all([administer(), administer()]);
      onTestFinished(async () => {
        await first.close();
        await second.close();
      });
      const { found, current } = await first.version();
      expect(found).toBe(0);
      const outcomes = await Promise.all([first.migrate(), second.migrate()]);
      expect(outcomes.map(({ to }) => to)).toEqual([current, current]);
      expect(await second.version()).toEqual({ found: current, current });
      expect(await first.migrate()).toEqual({ from: current, to: current });
    });

    it('counts the data while a store is open', async () => {
      const { store, administration } = await start();
      await writeTask(store);
      await createSampleTask(store, { holder: 'here' });
      await store.heartbeat('here', 60_000);
      const { tasks, events, sizes, processes } = await administration.status();
      expect(tasks).toEqual([
        { state: 'TASK_STATE_SUBMITTED', count: 1 },
        { state: 'TASK_STATE_COMPLETED', count: 1 },
      ]);
      expect(events).toBe(6);
      expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(0);
      expect(processes).toMatchObject([{ id: 'here', heldTasks: 1 }]);
      expect(processes[0]?.secondsLeft).toBeGreaterThan(50);
    });

    it('finds no damage in sound data with trimmed tasks and snapshots', async () => {
      const { store, administration } = await start();
      const taskId = await writeTask(store);
      await writeTask(store);
      await store.writeSnapshot(taskId, { sequence: 5, json: '{}' });
      expect(await store.retention?.trimJournal(taskId)).toBe(true);
      await store.heartbeat('process-1', 60_000);
      await createSampleTask(store);
      expect(await administration.check()).toEqual({ damage: [], notices: [] });
    });

    it('reports orphaned tasks', async () => {
      const { store, administration } = await start();
      const { taskId } = await createSampleTask(store);
      const { damage, notices } = await administration.check();
      expect(damage).toEqual([]);
      expect(notices).toEqual([{ what: expect.stringContaining('orphaned tasks'), subjects: [taskId] }]);
    });

    it.each([
      ['events are missing or duplicated', (rows: string) => `DELETE FROM journal WHERE ${rows}`, 1],
      [
        'events are missing or duplicated',
        (rows: string) => `UPDATE journal SET lines = '{}' WHERE ${rows}`,
        5,
      ],
      ['a snapshot is ahead of its events', () => 'UPDATE snapshots SET sequence = 6', 5],
    ])('finds that %s', async (what, damage, lastSequence) => {
      const { store, administration, execute, rowsOf } = await start();
      await writeTask(store);
      const taskId = await writeTask(store);
      await store.writeSnapshot(taskId, { sequence: 3, json: '{}' });
      await execute(damage(rowsOf(taskId, lastSequence)));
      expect((await administration.check()).damage).toContainEqual({ what, subjects: [taskId] });
    });

    it('finds tasks without events, events without a task, and wrong counts', async () => {
      const { store, administration, execute, rowsOf } = await start();
      const empty = await writeTask(store);
      const gone = await writeTask(store);
      await execute(`DELETE FROM journal WHERE ${rowsOf(empty, 1)} OR ${rowsOf(empty, 5)}`);
      await execute(`DELETE FROM tasks WHERE id = '${gone}'`);
      const { damage } = await administration.check();
      expect(damage).toEqual([
        { what: 'a task has no events', subjects: [empty] },
        { what: 'events do not belong to any task', subjects: [expect.stringMatching(/^\d+$/)] },
        { what: 'the task counts of an owner are wrong', subjects: ['tenant/alice'] },
        { what: 'the stored bytes of an owner are wrong', subjects: ['tenant/alice'] },
      ]);
    });
  });
}

/** A task with five events in two rows. */
async function writeTask(store: Store): Promise<string> {
  const { taskId } = await createSampleTask(store);
  await store.append({
    taskId,
    fence: 1,
    firstSequence: 2,
    entries: [...sampleEntries(2, 3), { json: '{"statusUpdate":{}}', changesStatus: true }],
    status: sampleStatus('TASK_STATE_COMPLETED'),
    releaseLease: true,
  });
  return taskId;
}
