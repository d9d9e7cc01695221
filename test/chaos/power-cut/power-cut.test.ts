import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administerSqlite, openJsonFileStore, openSqliteStore, type Store } from '@holdword/store';
import { afterAll, describe, expect, test } from 'vitest';
import { campaignSeed, Random } from '../random.ts';
import { SCALE } from '../scale.ts';
import { printSummary } from '../summary.ts';
import { CUTS, CutDisk, type Cut, type DiskOperation } from './cut-disk.ts';
import { eventJson } from './event-json.ts';
import { problemOf, recordWorkload, type Backend } from './record-workload.ts';

const folder = await mkdtemp(join(tmpdir(), 'holdword-power-cut-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a process had said before the power was cut. */
interface Said {
  acknowledged: Map<string, number>;
  recorded: Map<string, number>;
  deleting: Set<string>;
  deleted: Set<string>;
}

describe.each<Backend>(['sqlite', 'json-file'])('%s', (backend) => {
  const problem = problemOf(backend);
  if (problem !== undefined) printSummary(`Power cuts of ${backend}`, { skipped: problem });

  /** J1 and J2, whenever the power fails. */
  test.skipIf(problem !== undefined)(
    `nothing acknowledged is lost in ${SCALE.powerCuts} power cuts`,
    async () => {
      const random = new Random(campaignSeed());
      printSummary(`Power cuts of ${backend}`, { 'HOLDWORD_CHAOS_SEED to repeat': random.seed });
      const operations = await record(backend, random);
      const cuts = chooseCuts(operations, random.fork('cuts'));
      const facts = {
        operations: operations.length,
        cuts: cuts.length,
        'inside a checkpoint': 0,
        checked: 0,
      };
      const disk = new CutDisk();
      let next = 0;
      for (const { at, cut } of cuts) {
        for (; next < at; next += 1) disk.apply(operations[next] as DiskOperation);
        if (disk.isUnsynced('holdword.db')) facts['inside a checkpoint'] += 1;
        const said = saidBefore(operations, at);
        const data = await restored(disk, cut, random.fork(`${at} ${cut}`));
        facts.checked += await verify(backend, data, said, `${cut} at ${at}`);
      }
      expect(facts.checked).toBeGreaterThan(cuts.length);
      printSummary(`Power cuts of ${backend}: nothing acknowledged was lost`, facts);
    },
  );

  test.skipIf(problem !== undefined)('a disk that ignores syncs loses what was acknowledged', async () => {
    const random = new Random('without syncs');
    const operations = await record(backend, random, 8);
    const said = saidBefore(operations, operations.length);
    const [honest, lying] = [new CutDisk(), new CutDisk()];
    for (const operation of operations) {
      honest.apply(operation);
      if (operation.kind !== 'sync') lying.apply(operation);
    }
    await verify(backend, await restored(honest, 'dropped', random), said, 'with syncs');
    const data = await restored(lying, 'dropped', random);
    await expect(verify(backend, data, said, 'without syncs')).rejects.toThrow();
  });
});

async function record(
  backend: Backend,
  random: Random,
  tasks = SCALE.powerCutTasks,
): Promise<DiskOperation[]> {
  const recording = await mkdtemp(join(folder, 'recording-'));
  const traces = join(recording, 'traces');
  await mkdir(traces);
  return recordWorkload(backend, { folder: join(recording, 'data'), traces, seed: random.seed, tasks });
}

/** Anywhere, right after something was said, and while the log is copied into the database. */
function chooseCuts(operations: readonly DiskOperation[], random: Random): { at: number; cut: Cut }[] {
  const notes = operations.flatMap(({ kind }, index) => (kind === 'note' ? [index + 1] : []));
  const pages = operations.flatMap((operation, index) =>
    operation.kind === 'write' && operation.path === 'holdword.db' ? [index + 1] : [],
  );
  const choices = [notes, pages.length > 0 ? pages : notes, undefined, undefined];
  return Array.from({ length: SCALE.powerCuts }, (_, index) => ({
    at: random.pick(choices[index % choices.length] ?? [random.integer(1, operations.length)]),
    cut: random.pick(CUTS),
  })).toSorted((one, other) => one.at - other.at);
}

function saidBefore(operations: readonly DiskOperation[], at: number): Said {
  const said: Said = {
    acknowledged: new Map(),
    recorded: new Map(),
    deleting: new Set(),
    deleted: new Set(),
  };
  for (const operation of operations.slice(0, at)) {
    if (operation.kind !== 'note') continue;
    const [what, taskId = '', sequence] = operation.text.split(' ');
    if (what === 'acknowledged') said.acknowledged.set(taskId, Number(sequence));
    if (what === 'recorded') said.recorded.set(taskId, Number(sequence));
    if (what === 'deleting') said.deleting.add(taskId);
    if (what === 'deleted') said.deleted.add(taskId);
  }
  return said;
}

async function restored(disk: CutDisk, cut: Cut, random: Random): Promise<string> {
  const data = await mkdtemp(join(folder, 'cut-'));
  await disk.restore(data, cut, random);
  await writeFile(join(data, 'holdword.lock'), '', { mode: 0o600 });
  return data;
}

/** Opens what the power cut has left. Returns how many acknowledgements were checked. */
async function verify(backend: Backend, data: string, said: Said, what: string): Promise<number> {
  const open = backend === 'sqlite' ? openSqliteStore : openJsonFileStore;
  const store = await open({ folder: data });
  try {
    for (const [taskId, sequence] of said.acknowledged) await verifyTask(store, taskId, sequence, said, what);
    for (const [taskId, last] of said.recorded)
      expect(await store.getRecord('last', taskId), `record of ${taskId}, ${what}`).toBe(String(last));
  } finally {
    await store.close();
  }
  if (backend === 'sqlite') {
    const administration = await administerSqlite(data);
    expect((await administration.check()).damage, what).toEqual([]);
    await administration.close();
  }
  await rm(data, { recursive: true });
  return said.acknowledged.size + said.recorded.size;
}

async function verifyTask(store: Store, taskId: string, sequence: number, said: Said, what: string) {
  const header = await store.readTask(taskId);
  if (said.deleted.has(taskId)) expect(header, `deleted ${taskId}, ${what}`).toBeUndefined();
  if (header === undefined && said.deleting.has(taskId)) return;
  expect(header?.lastSequence ?? 0, `${taskId}, ${what}`).toBeGreaterThanOrEqual(sequence);
  const events = [];
  for (let after = 0; ; after = events.length) {
    const page = await store.readEvents(taskId, after, 100);
    if (page.length === 0) break;
    events.push(...page);
  }
  expect(events, `${taskId}, ${what}`).toEqual(
    Array.from({ length: header?.lastSequence ?? 0 }, (_, index) => ({
      sequence: index + 1,
      json: eventJson(taskId, index + 1),
    })),
  );
  expect(await store.findIdempotencyKey('owner', `key of ${taskId}`), what).toMatchObject({ taskId });
}
