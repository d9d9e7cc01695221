import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { prepareDatabase } from './connect.ts';
import { GroupPace, GroupWriter } from './group-writer.ts';

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

  it('commits a few concurrent writes as one group', async () => {
    expect(await groupsOf(7)).toEqual([7]);
  });

  it('commits many concurrent writes in order, however they are grouped', async () => {
    const groups = await groupsOf(300);
    expect(groups.reduce((sum, size) => sum + size, 0)).toBe(300);
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

function paceAfter(...commits: number[]): GroupPace {
  const pace = new GroupPace();
  for (const milliseconds of commits) pace.learn(milliseconds);
  return pace;
}

describe('GroupPace', () => {
  it('sends no group early until it has measured the disk', () => {
    expect(paceAfter().maySend(100, 0)).toBe(false);
  });

  it('sends groups that are worth a sync early on a fast disk, a few at a time', () => {
    const pace = paceAfter(1);
    expect(pace.maySend(10, 0)).toBe(true);
    expect(pace.maySend(10, 2)).toBe(true);
    expect(pace.maySend(9, 0)).toBe(false);
    expect(pace.maySend(100, 3)).toBe(false);
  });

  it('builds larger groups for a slow disk and adapts when its speed changes', () => {
    expect(paceAfter(10).maySend(100, 1)).toBe(false);
    expect(paceAfter(1, 30).maySend(10, 1)).toBe(false);
    expect(paceAfter(10, ...Array.from({ length: 20 }, () => 1)).maySend(10, 1)).toBe(true);
  });
});
