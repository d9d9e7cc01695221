import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { describeAdministration } from '../testing/suites/describe-administration.ts';
import { makeTemporaryFolder } from '../testing/temporary-folder.ts';
import { administerSqlite } from './administer-database.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

describeAdministration('sqlite', async () => {
  const { folder, remove } = await makeTemporaryFolder();
  onTestFinished(remove);
  return {
    open: () => openSqliteStore({ folder }),
    administer: () => Promise.resolve(administerSqlite(folder)),
    execute: (sql) => {
      const database = new DatabaseSync(join(folder, 'holdword.db'));
      database.exec(sql);
      database.close();
      return Promise.resolve();
    },
    rowsOf: (taskId, last) => `position = ((SELECT key FROM tasks WHERE id = '${taskId}') << 32) + ${last}`,
  };
});
