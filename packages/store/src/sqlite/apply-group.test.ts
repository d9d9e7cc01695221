import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { prepareApplyGroup } from './apply-group.ts';
import { prepareDatabase } from './connect.ts';
import type { CreateTaskWrite, PutRecordWrite } from './write.ts';

function createTask(taskId: string, lines: string): CreateTaskWrite {
  return ['create-task', taskId, 'owner', 'context', 1, 0, '{}', 'holder', null, [[1, 0, lines]]];
}

const putRecord: PutRecordWrite = ['put-record', 'namespace', 'key', 'value'];

describe('applyGroup', () => {
  let temporary: TemporaryFolder;
  let file: string;
  let database: DatabaseSync;
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    file = join(temporary.folder, 'holdword.db');
    prepareDatabase(file, { clearHolders: true });
    database = new DatabaseSync(file);
    database.exec('PRAGMA busy_timeout = 0');
  });
  afterEach(async () => {
    database.close();
    await temporary.remove();
  });

  function total(): unknown {
    return database
      .prepare('SELECT (SELECT count(*) FROM tasks) AS tasks, (SELECT sum(n) FROM counts) AS counted')
      .get();
  }

  it('writes nothing of a group when the disk is full, and continues once there is space again', () => {
    const applyGroup = prepareApplyGroup(database);
    database.exec('PRAGMA max_page_count = 20');
    const result = applyGroup([createTask('small', '{}'), createTask('big', `"${'x'.repeat(400_000)}"`)]);
    expect(result).toMatchObject({
      rejected: 'unavailable',
      message: expect.stringContaining('the disk is full'),
    });
    expect(total()).toEqual({ tasks: 0, counted: null });

    database.exec('PRAGMA max_page_count = 1000000');
    expect(applyGroup([createTask('small', '{}')])).toEqual([undefined]);
    expect(total()).toEqual({ tasks: 1, counted: 1 });
  });

  it('rejects a group while another program locks the database, and continues afterwards', () => {
    const applyGroup = prepareApplyGroup(database);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    expect(applyGroup([putRecord])).toMatchObject({ rejected: 'unavailable' });
    other.exec('ROLLBACK');
    other.close();
    expect(applyGroup([putRecord])).toEqual([undefined]);
  });

  it('keeps the task counts correct within one group', () => {
    const applyGroup = prepareApplyGroup(database);
    const result = applyGroup([
      createTask('one', '{}'),
      createTask('one', '{}'),
      createTask('two', '{}'),
      ['append', 'one', 1, 2, 3, 5, '{}', true, null, [[1, 0, '{}']]],
    ]);
    expect(result).toMatchObject([undefined, { rejected: 'sequence-conflict' }, undefined, undefined]);
    expect(database.prepare('SELECT state, n FROM counts ORDER BY state').all()).toEqual([
      { state: 1, n: 1 },
      { state: 3, n: 1 },
    ]);
  });
});
