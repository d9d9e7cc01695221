import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSampleTask, sampleEntries } from '../testing/sample-task.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { openJsonFileStore } from './open-json-file-store.ts';
import { journalFileName } from './journal-files.ts';

describe('loading journals', () => {
  let temporary: TemporaryFolder;
  let taskId: string;
  let file: string;
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    const store = await openJsonFileStore({ folder: temporary.folder });
    ({ taskId } = await createSampleTask(store));
    await store.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 2) });
    await store.close();
    file = join(temporary.folder, 'tasks', journalFileName(taskId));
  });
  afterEach(() => temporary.remove());

  it.each([
    ['truncated', '{"kind":"append","append":{"taskId":"'],
    ['filled with zeros', '\0'.repeat(300)],
    ['made unreadable', '{"kind":"append","app\0\0\0\0\0\0":1}\n'],
  ])('removes a last line that was %s by a crash', async (_, rest) => {
    const whole = await readFile(file);
    await appendFile(file, rest);
    const store = await openJsonFileStore({ folder: temporary.folder });
    expect(await store.readTask(taskId)).toMatchObject({ lastSequence: 3 });
    expect((await readFile(file)).equals(whole)).toBe(true);

    await store.append({ taskId, fence: 1, firstSequence: 4, entries: sampleEntries(4, 1) });
    expect(await store.readEvents(taskId, 2, 9)).toHaveLength(2);
    await store.close();
  });

  it('removes a task whose first line is incomplete', async () => {
    const unfinished = join(temporary.folder, 'tasks', journalFileName('unfinished'));
    await writeFile(unfinished, '{"kind":"task","version":1,"key":9,"ta');
    const store = await openJsonFileStore({ folder: temporary.folder });
    expect((await store.listTasks({ owner: 'tenant/alice', limit: 5 })).totalSize).toBe(1);
    expect(await readdir(join(temporary.folder, 'tasks'))).toEqual([journalFileName(taskId)]);
    await createSampleTask(store, { taskId: 'unfinished' });
    await store.close();
  });

  it.each([
    ['a damaged line', (text: string) => text.replace('"kind":"task"', '"kind":"t'), 'unreadable'],
    ['a missing line', (text: string) => `${text}${text.slice(text.indexOf('\n') + 1)}`, 'does not follow'],
    ['two first lines', (text: string) => `${text}${text}`, 'does not follow'],
  ])('rejects a file with %s, names it and leaves it unchanged', async (_, damage, problem) => {
    await writeFile(file, damage(await readFile(file, 'utf8')));
    const bytes = await readFile(file);
    const error: unknown = await openJsonFileStore({ folder: temporary.folder }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining(journalFileName(taskId)),
    });
    expect(error).toMatchObject({ message: expect.stringContaining(problem) });
    expect(error).toMatchObject({ message: expect.not.stringContaining(temporary.folder) });
    expect((await readFile(file)).equals(bytes)).toBe(true);
  });
});
