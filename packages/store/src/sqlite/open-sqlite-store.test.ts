import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSampleTask } from '../testing/sample-task.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

describe('openSqliteStore', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  let file: string;
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    folder = join(temporary.folder, 'data');
    file = join(folder, 'holdword.db');
    await mkdir(folder);
  });
  afterEach(() => temporary.remove());

  it('rejects a file that is not a database and leaves it unchanged', async () => {
    await writeFile(file, 'This is not a database. '.repeat(100));
    const bytes = await readFile(file);
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('holdword.db'),
    });
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({
      message: expect.not.stringContaining(folder),
    });
    expect((await readFile(file)).equals(bytes)).toBe(true);
  });

  it('rejects the database of another program', async () => {
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE theirs (id INTEGER)');
    database.close();
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('reports a folder that is a file, or cannot be created', async () => {
    await writeFile(join(temporary.folder, 'file'), '');
    await expect(openSqliteStore({ folder: join(temporary.folder, 'file') })).rejects.toThrow(
      'the data folder is a file; use a different data folder',
    );
    await expect(openSqliteStore({ folder: join(temporary.folder, 'file', 'data') })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it.runIf(process.platform === 'linux')('gives up where no folder can be created at all', async () => {
    await expect(openSqliteStore({ folder: '/proc/holdword/data' })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('counts what a database of an older version contains', async () => {
    const store = await openSqliteStore({ folder });
    await createSampleTask(store);
    const { taskId } = await createSampleTask(store);
    await store.writeSnapshot(taskId, { sequence: 1, json: '{"snapshot":true}' });
    const usage = await store.readUsage('tenant/alice');
    await store.close();
    const database = new DatabaseSync(file);
    database.exec('ALTER TABLE counts DROP COLUMN bytes; PRAGMA user_version = 2');
    database.close();
    const migrated = await openSqliteStore({ folder });
    expect(await migrated.readUsage('tenant/alice')).toEqual(usage);
    expect(usage.bytes).toBeGreaterThan(0);
    await migrated.close();
  });

  it('lets an administrative command change records while a server runs', async () => {
    const server = await openSqliteStore({ folder });
    const { taskId } = await createSampleTask(server);
    await server.heartbeat('process-1', 60_000);
    const command = await openSqliteStore({ folder, shared: true });
    await command.putRecord('keys', 'laptop', 'hash');
    expect(await server.getRecord('keys', 'laptop')).toBe('hash');
    await server.putRecord('keys', 'phone', 'hash');
    expect(await command.deleteRecord('keys', 'phone')).toBe(true);
    expect(await server.listRecords('keys')).toEqual([{ key: 'laptop', value: 'hash' }]);
    await command.close();

    expect(await server.acquireLease(taskId, 'process-2')).toBeUndefined();
    await server.close();
  });
});
