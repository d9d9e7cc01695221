import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { GroupWriter } from './group-writer.ts';
import { prepareDatabase } from './prepare-database.ts';

describe('GroupWriter', () => {
  let temporary: TemporaryFolder;
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
  });
  afterEach(() => temporary.remove());

  it('rejects what waits and what comes when its thread ends', async () => {
    // A folder is no database: the thread ends as it starts.
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

  it('commits few writes made together as one group', async () => {
    expect(await groupsOf(7)).toEqual([7]);
  });

  it('commits many writes made together in order, however they are grouped', async () => {
    const groups = await groupsOf(300);
    expect(groups.reduce((sum, size) => sum + size, 0)).toBe(300);
  });

  /** The sizes of the groups that so many writes made at once go out in; all of them change one record. */
  async function groupsOf(count: number): Promise<number[]> {
    const file = join(temporary.folder, 'holdword.db');
    prepareDatabase(file, { forgetHolders: true });
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
