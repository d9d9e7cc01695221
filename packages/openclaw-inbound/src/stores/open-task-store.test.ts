import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noopLog } from '@holdword/runtime/internal';
import { sampleTask } from '@holdword/store/testing';
import { usePostgres } from '@holdword/store/testing/postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TaskStoreConfig } from '../config/account-config.ts';
import { openTaskStore } from './open-task-store.ts';

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

describe('a task store', () => {
  test.each([
    ['memory', false],
    ['json-file', true],
    ['sqlite', true],
    ['postgres', true],
  ] as const)('of kind %s keeps tasks after a restart: %s', async (kind, isDurable) => {
    const location = await LOCATIONS[kind]();
    const task = sampleTask();
    const store = await openTaskStore(location, noopLog);
    expect(store.kind).toBe(kind);
    await store.createTask(task);
    await store.close();
    const reopened = await openTaskStore(location, noopLog);
    onTestFinished(() => reopened.close());
    expect((await reopened.readTask(task.taskId))?.taskId).toBe(isDurable ? task.taskId : undefined);
  });

  test.each(['json-file', 'sqlite'] as const)('of kind %s allows one process', async (kind) => {
    const location = await LOCATIONS[kind]();
    const store = await openTaskStore(location, noopLog);
    onTestFinished(() => store.close());
    await expect(openTaskStore(location, noopLog)).rejects.toMatchObject({ code: 'in-use' });
  });
});
