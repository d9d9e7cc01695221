import { describe, expect, it, onTestFinished } from 'vitest';
import type { Administration } from '../../administration/administration.ts';
import type { Store } from '../../port.ts';
import { createSampleTask, sampleEntries, sampleStatus } from '../sample-task.ts';

/** One database for a test, which goes with it. */
export interface AdministeredDatabase {
  readonly open: () => Promise<Store>;
  readonly administer: () => Promise<Administration>;
  /** Runs a statement behind the back of the store. */
  readonly execute: (sql: string) => Promise<void>;
  /** The condition that selects the rows of a task's journal that end with a number. */
  readonly rowsOf: (taskId: string, lastSequence: number) => string;
}

/** What both databases that speak SQL promise an operator. */
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
    it('makes the tables, which several may do at once, and knows their version', async () => {
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

    it('counts what there is, beside a store that is open', async () => {
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

    it('finds nothing wrong with sound data, trimmed tasks and snapshots included', async () => {
      const { store, administration } = await start();
      const taskId = await writeTask(store);
      await writeTask(store);
      await store.writeSnapshot(taskId, { sequence: 5, json: '{}' });
      expect(await store.retention?.trimJournal(taskId)).toBe(true);
      await store.heartbeat('process-1', 60_000);
      await createSampleTask(store);
      expect(await administration.check()).toEqual({ damage: [], notices: [] });
    });

    it('mentions tasks whose process is gone', async () => {
      const { store, administration } = await start();
      const { taskId } = await createSampleTask(store);
      const { damage, notices } = await administration.check();
      expect(damage).toEqual([]);
      expect(notices).toEqual([
        { what: expect.stringContaining('whose process is gone'), subjects: [taskId] },
      ]);
    });

    it.each([
      ['events are missing or there twice', (rows: string) => `DELETE FROM journal WHERE ${rows}`, 1],
      [
        'events are missing or there twice',
        (rows: string) => `UPDATE journal SET lines = '{}' WHERE ${rows}`,
        5,
      ],
      ['a snapshot is ahead of its events', () => 'UPDATE snapshots SET sequence = 6', 5],
    ])('finds that %s', async (what, harm, lastSequence) => {
      const { store, administration, execute, rowsOf } = await start();
      await writeTask(store);
      const taskId = await writeTask(store);
      await store.writeSnapshot(taskId, { sequence: 3, json: '{}' });
      await execute(harm(rowsOf(taskId, lastSequence)));
      expect((await administration.check()).damage).toEqual([{ what, subjects: [taskId] }]);
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
        { what: 'events belong to no task', subjects: [expect.stringMatching(/^\d+$/)] },
        { what: 'the tasks of an owner are counted wrong', subjects: ['tenant/alice'] },
      ]);
    });
  });
}

/** A task of five events, in two rows. */
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
