import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { prepareDatabase } from './connect.ts';
import { GroupWriter } from './group-writer.ts';

describe('GroupWriter', () => {
  let temporary: TemporaryFolder;
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
  });
  afterEach(() => temporary.remove());

  it('rejects pending and later writes when its thread dies', async () => {
    // A folder is not a database: the thread dies on start.
    const writer = new GroupWriter(temporary.folder, () => {});
    const waiting = ['a', 'b'].map((key) => writer.write(['put-record', 'namespace', key, 'value']));
    for (const result of await Promise.allSettled(waiting)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
    await expect(writer.write(['put-record', 'namespace', 'c', 'value'])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.not.stringContaining(temporary.folder),
    });
    await writer.close();
  });

  it('commits concurrent writes in order and as one group', async () => {
    expect(await groupsOf(7)).toEqual([7]);
    expect(await groupsOf(300)).toEqual([300]);
  });

  /** Makes `count` writes to one record at once and returns the sizes of the groups they were committed in. */
  async function groupsOf(count: number): Promise<number[]> {
    const file = join(temporary.folder, 'holdword.db');
    prepareDatabase(file, { clearHolders: true });
    const groups: number[] = [];
    const writer = new GroupWriter(file, (commits) => groups.push(commits.length));
    const writes = Array.from({ length: count }, (_, index) =>
      writer.write(['put-record', 'namespace', 'key', `value-${index}`], {
        taskId: 'task',
        lastSequence: index,
      }),
    );
    await Promise.all(writes);
    await writer.close();

    const database = new DatabaseSync(file);
    expect(database.prepare('SELECT value FROM records').all()).toEqual([{ value: `value-${count - 1}` }]);
    database.close();
    return groups;
  }
});
