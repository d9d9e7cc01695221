import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres, usePostgres, type TestPostgres } from '@holdword/store/testing/postgres';
import { HoldwordProcess } from '@holdword/cli/testing';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { DriverTarget } from '../../support/drivers/driver.ts';
import { openDriver } from '../../support/drivers/open-driver.ts';
import { spawnHoldword, type ServedHoldword } from '../../support/spawn-holdword.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { artifactTexts } from '../conversation.ts';
import { copyRunningPostgres } from './copy-running-postgres.ts';
import { startSteadyLoad, type SteadyLoad } from './steady-load.ts';

/** Copies as in docs/guides/deploy/backup.md, made while callers send without pause. */
watchForLeaks();
const postgres = usePostgres();
const CALLERS = 4;
const ACKNOWLEDGED = 40;
const PATIENCE_MILLISECONDS = 30_000;
vi.setConfig({ testTimeout: 120_000 });

let folder: TemporaryFolder;
let restored: TestPostgres | undefined;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await restored?.stop();
  await folder.remove();
});

test('a copy of SQLite made under load contains everything acknowledged before', async () => {
  const data = join(folder.path, 'data');
  const holdword = await serve(data);
  const load = await startSteadyLoad([holdword.target], CALLERS);
  const copy = join(folder.path, 'copy.db');
  const before = await acknowledgedWhile(load, () => run(['backup', copy, '--data', data]));
  await load.stop();
  await holdword.kill();

  const restoredData = join(folder.path, 'restored');
  await mkdir(restoredData);
  await copyFile(copy, join(restoredData, 'holdword.db'));
  await run(['db', 'check', '--data', restoredData]);
  const again = await serve(restoredData);
  await expectAll(again.target, before);
  await again.stop();
});

test('a copy of PostgreSQL made under load of two replicas contains everything acknowledged before', async () => {
  const { url, newSchema } = postgres();
  const environment = { HOLDWORD_STORE: url, HOLDWORD_STORE_SCHEMA: newSchema() };
  const replicas = await Promise.all(
    ['replica-1', 'replica-2'].map((name) => serve(join(folder.path, name), environment)),
  );
  const load = await startSteadyLoad(
    replicas.map(({ target }) => target),
    CALLERS / 2,
  );
  const before = await acknowledgedWhile(load, async () => {
    restored = await startPostgres({ restore: (data) => copyRunningPostgres(url, data) });
  });
  await load.stop();
  await Promise.all(replicas.map((replica) => replica.kill()));

  const restoredEnvironment = { ...environment, HOLDWORD_STORE: restored?.url ?? '' };
  await run(['db', 'check'], restoredEnvironment);
  const again = await serve(join(folder.path, 'again'), restoredEnvironment);
  await expectAll(again.target, before);
  await again.stop();
});

async function serve(data: string, environment: Record<string, string> = {}): Promise<ServedHoldword> {
  const holdword = await spawnHoldword(['--data', data], { environment });
  onTestFinished(() => holdword.kill());
  return holdword;
}

/** Makes the copy during the load, and returns the tasks that were acknowledged when it started. */
async function acknowledgedWhile(load: SteadyLoad, makeCopy: () => Promise<void>): Promise<string[]> {
  await waitUntil('load', () => load.acknowledged.size >= ACKNOWLEDGED, PATIENCE_MILLISECONDS);
  const before = [...load.acknowledged];
  await makeCopy();
  const meanwhile = load.acknowledged.size;
  expect(meanwhile).toBeGreaterThan(before.length);
  await waitUntil('load to go on', () => load.acknowledged.size > meanwhile, PATIENCE_MILLISECONDS);
  return before;
}

async function run(words: string[], environment: Record<string, string> = {}): Promise<void> {
  const holdword = new HoldwordProcess(words, { environment });
  expect([await holdword.ended, holdword.output()]).toEqual([0, expect.any(String)]);
}

async function expectAll(target: DriverTarget, taskIds: readonly string[]): Promise<void> {
  const driver = await openDriver(target, { binding: 'JSONRPC', version: '1.0', client: 'raw' });
  for (const id of taskIds) {
    const task = await driver.get({ id });
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(artifactTexts(task)).toEqual({ numbers: '1\n2\n3' });
  }
  driver.close();
}
