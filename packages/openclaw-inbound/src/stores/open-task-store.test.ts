import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noopLog } from '@holdword/runtime/internal';
import { sampleTask } from '@holdword/store/testing';
import { usePostgres } from '@holdword/store/testing/postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TaskStoreConfig } from '../config/account-config.ts';
import { MemoryStores } from './memory-stores.ts';
import { openTaskStore, type OpenTaskStore } from './open-task-store.ts';

const postgres = usePostgres();

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-task-store-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** One store of each kind, in its own location. */
const LOCATIONS: Record<TaskStoreConfig['kind'], () => Promise<TaskStoreConfig>> = {
  memory: async () => ({ kind: 'memory' }),
  'json-file': async () => ({ kind: 'json-file', path: await makeFolder() }),
  sqlite: async () => ({ kind: 'sqlite', path: await makeFolder() }),
  postgres: async () => ({ kind: 'postgres', url: postgres().url, schema: postgres().newSchema() }),
};

/** Opens the store of an account, by default in a process of its own. */
function open(
  taskStore: TaskStoreConfig,
  stores = new MemoryStores(),
  accountId = 'default',
): Promise<OpenTaskStore> {
  return openTaskStore({ accountId, taskStore }, stores, noopLog);
}

describe('a task store', () => {
  test.each([
    ['memory', false],
    ['json-file', true],
    ['sqlite', true],
    ['postgres', true],
  ] as const)('of kind %s keeps tasks after a restart: %s', async (kind, isDurable) => {
    const location = await LOCATIONS[kind]();
    const task = sampleTask();
    const { store, close } = await open(location);
    expect(store.kind).toBe(kind);
    await store.createTask(task);
    await close();
    const reopened = await open(location);
    onTestFinished(() => reopened.close());
    expect((await reopened.store.readTask(task.taskId))?.taskId).toBe(isDurable ? task.taskId : undefined);
  });

  test('in memory keeps tasks while the accounts of a gateway restart, each its own', async () => {
    const stores = new MemoryStores();
    const task = sampleTask();
    const { store, close } = await open({ kind: 'memory' }, stores, 'front');
    await store.createTask(task);
    await close();
    const find = async (accountId: string): Promise<string | undefined> => {
      const opened = await open({ kind: 'memory' }, stores, accountId);
      return (await opened.store.readTask(task.taskId))?.taskId;
    };
    expect(await find('front')).toBe(task.taskId);
    expect(await find('back')).toBeUndefined();
    stores.keepOnly(new Set(['front']));
    expect(await find('front')).toBe(task.taskId);
    stores.keepOnly(new Set(['back']));
    expect(await find('front')).toBeUndefined();
  });

  test('in memory is shared by the copies of the plugin in a process', () => {
    expect(MemoryStores.shared()).toBe(MemoryStores.shared());
  });

  test.each(['json-file', 'sqlite'] as const)('of kind %s allows one process', async (kind) => {
    const location = await LOCATIONS[kind]();
    const { close } = await open(location);
    onTestFinished(close);
    await expect(open(location)).rejects.toMatchObject({ code: 'in-use' });
  });
});
