import { mkdir, readFile, rename, rm, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../port.ts';
import { createSampleTask, sampleEntries } from '../testing/sample-task.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { openJsonFileStore } from './open-json-file-store.ts';
import { journalFileName } from './journal-files.ts';

describe('journal files', () => {
  let temporary: TemporaryFolder;
  let store: Store;
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    store = await openJsonFileStore({ folder: temporary.folder });
  });
  afterEach(async () => {
    await store.close();
    await temporary.remove();
  });

  function fileOf(taskId: string): string {
    return join(temporary.folder, 'tasks', journalFileName(taskId));
  }

  function append(taskId: string): Promise<void> {
    return store.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) });
  }

  it('rejects only the write to a file that cannot be opened', async () => {
    const [bad, good] = [await createSampleTask(store), await createSampleTask(store)];
    await rename(fileOf(bad.taskId), `${fileOf(bad.taskId)}.away`);
    await mkdir(fileOf(bad.taskId));

    const results = await Promise.allSettled([append(bad.taskId), append(good.taskId)]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { code: 'unavailable' } },
      { status: 'fulfilled' },
    ]);
    await expect(store.readEvents(bad.taskId, 0, 5)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.readTask(bad.taskId)).toMatchObject({ lastSequence: 1 });

    await rm(fileOf(bad.taskId), { recursive: true });
    await rename(`${fileOf(bad.taskId)}.away`, fileOf(bad.taskId));
    await append(bad.taskId);
    expect(await store.readEvents(bad.taskId, 0, 5)).toHaveLength(2);
  });

  it('acknowledges nothing in a file that was removed or shortened', async () => {
    const [removed, shortened] = [await createSampleTask(store), await createSampleTask(store)];
    await rm(fileOf(removed.taskId));
    await truncate(fileOf(shortened.taskId), 10);
    await expect(append(removed.taskId)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('was removed; put it back'),
    });
    await expect(append(shortened.taskId)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('another program has changed it'),
    });
    await expect(readFile(fileOf(removed.taskId))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.runIf(process.platform === 'linux')('stops writing when a failed write cannot be undone', async () => {
    const [bad, good] = [await createSampleTask(store), await createSampleTask(store)];
    await rm(fileOf(bad.taskId));
    await symlink('/dev/full', fileOf(bad.taskId));
    await expect(append(bad.taskId)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(append(good.taskId)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('restart Holdword'),
    });
    expect(await readFile(fileOf(good.taskId), 'utf8')).not.toContain('"kind":"append"');
  });
});
