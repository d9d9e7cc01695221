import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../port.ts';
import { createSampleTask } from '../testing/sample-task.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

describe.skipIf(process.platform === 'win32')('the files of an open database', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  let file: string;
  let store: Store;
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    folder = join(temporary.folder, 'data');
    file = join(folder, 'holdword.db');
    store = await openSqliteStore({ folder });
  });
  afterEach(async () => {
    await store.close();
    await temporary.remove();
  });

  /** The acknowledged tasks that a process would find after this one was killed. */
  async function foundAfterKill(acknowledged: readonly string[]): Promise<string[]> {
    const copy = join(temporary.folder, 'copy');
    await mkdir(copy);
    for (const name of ['holdword.lock', 'holdword.db', 'holdword.db-wal'])
      await copyFile(join(folder, name), join(copy, name)).catch(() => {});
    const reopened = await openSqliteStore({ folder: copy });
    const headers = await Promise.all(acknowledged.map((taskId) => reopened.readTask(taskId)));
    await reopened.close();
    return headers.flatMap((header) => header?.taskId ?? []);
  }

  it.each(['holdword.db-wal', 'holdword.db-shm'])(
    'lose nothing acknowledged when %s is removed',
    async (name) => {
      const acknowledged: string[] = [];
      const create = async () => void acknowledged.push((await createSampleTask(store)).taskId);
      for (let count = 0; count < 5; count += 1) await create();
      await rm(join(folder, name));
      const failures: unknown[] = [];
      for (let count = 0; count < 10; count += 1)
        await create().catch((error: unknown) => failures.push(error));
      expect(await foundAfterKill(acknowledged)).toEqual(acknowledged);
      expect(failures.at(-1)).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('restart Holdword'),
      });
      await expect(store.heartbeat('process-1', 1_000)).rejects.toMatchObject({ code: 'unavailable' });
    },
  );

  it('are not written to while the database is away, and are when it is back', async () => {
    await createSampleTask(store);
    await rename(file, `${file}.away`);
    const gone = {
      code: 'unavailable',
      message: expect.stringContaining('holdword.db was removed or replaced'),
    };
    await expect(createSampleTask(store)).rejects.toMatchObject(gone);
    await copyFile(`${file}.away`, file);
    await expect(createSampleTask(store)).rejects.toMatchObject(gone);
    await rename(`${file}.away`, file);
    const { taskId } = await createSampleTask(store);
    expect(await foundAfterKill([taskId])).toEqual([taskId]);
  });
});
