import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  openJsonFileStore,
  openMemoryStore,
  openPostgresStore,
  openSqliteStore,
  type Store,
} from '@holdword/store';
import { usePostgres } from '@holdword/store/testing/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { noopLog } from '../log.ts';
import { createReadiness } from './readiness.ts';

interface OpenedStore {
  store: Store;
  /** From then on, every write fails. */
  breakWrites: () => Promise<void>;
}

/** A busy machine makes a store slow. */
const PATIENT = { timeoutMilliseconds: 30_000 };
const WELL = { stopping: false, heartbeatAgeMilliseconds: 0, commitFailure: undefined };

const postgres = usePostgres();

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-readiness-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function memory(): Promise<OpenedStore> {
  const store = openMemoryStore();
  return { store, breakWrites: () => store.close() };
}

async function jsonFile(): Promise<OpenedStore> {
  const folder = await temporaryFolder();
  const store = await openJsonFileStore({ folder });
  return { store, breakWrites: () => rm(folder, { recursive: true }) };
}

async function sqlite(): Promise<OpenedStore> {
  const folder = await temporaryFolder();
  const store = await openSqliteStore({ folder });
  return {
    store,
    breakWrites: async () => {
      const database = new DatabaseSync(join(folder, 'holdword.db'));
      database.exec(
        `CREATE TRIGGER broken BEFORE INSERT ON records BEGIN SELECT RAISE(FAIL, '${folder} is read-only'); END`,
      );
      database.close();
    },
  };
}

async function postgresql(): Promise<OpenedStore> {
  const schema = postgres().newSchema();
  const store = await openPostgresStore({ url: postgres().url, schema });
  return {
    store,
    breakWrites: async () => {
      await postgres().query(`ALTER TABLE "${schema}".records RENAME TO gone`);
    },
  };
}

test.each([
  ['memory', memory],
  ['json-file', jsonFile],
  ['sqlite', sqlite],
  ['postgres', postgresql],
])('a %s store that cannot write is not ready, and says why without a path', async (_kind, open) => {
  const { store, breakWrites } = await open();
  onTestFinished(() => store.close());
  const check = createReadiness({ ...PATIENT, store, health: () => WELL, cacheMilliseconds: 0 });
  expect(await check()).toMatchObject({ ready: true, checks: { store: { ok: true } } });
  await breakWrites();
  const { ready, checks } = await check();
  expect(ready).toBe(false);
  expect(checks['store']?.detail).toMatch(/^a write failed: ./);
  expect(checks['store']?.detail).not.toContain(tmpdir());
});

test('the log has the reason that SQLite gives', async () => {
  const { store, breakWrites } = await sqlite();
  onTestFinished(() => store.close());
  const reasons: unknown[] = [];
  const log = { ...noopLog, error: (_message: string, fields?: object) => void reasons.push(fields) };
  const check = createReadiness({ ...PATIENT, store, health: () => WELL, log });
  await breakWrites();
  await check();
  expect(reasons).toEqual([{ store: expect.stringContaining('is read-only') as string }]);
});
