import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Administration } from '../administration/administration.ts';
import { checkData } from '../administration/check-data.ts';
import type { Dialect, Select } from '../administration/dialect.ts';
import { readStatistics } from '../administration/read-statistics.ts';
import { text } from '../columns.ts';
import { lockFolder } from '../folder-lock.ts';
import { makeFolder } from '../make-folder.ts';
import { connectForReading } from './connect.ts';
import { checkVersion, CURRENT_VERSION } from './migrations/migrate.ts';
import { prepareDatabase } from './prepare-database.ts';
import { storeErrorFromSqlite } from './sqlite-error.ts';

const DIALECT: Dialect = {
  journal:
    'SELECT position >> 32 AS task, first_sequence, position & 4294967295 AS last_sequence, lines FROM journal',
  newline: 'char(10)',
  now: "CAST(unixepoch('subsec') * 1000 AS integer)",
};

/** Works while a server uses the folder. Documented for users in `open-stores.ts`. */
export function administerSqlite(folder: string): Administration {
  const file = join(folder, 'holdword.db');

  /** Each use sees a consistent snapshot. */
  async function reading<Result>(use: (database: DatabaseSync) => Promise<Result>): Promise<Result> {
    let database: DatabaseSync | undefined;
    try {
      database = connectForReading(file);
      database.exec('BEGIN');
      return await use(database);
    } catch (error) {
      throw storeErrorFromSqlite(error, 'holdword.db');
    } finally {
      database?.close();
    }
  }

  async function version(): Promise<{ found: number; current: number }> {
    const found = existsSync(file) ? await reading(async (database) => checkVersion(database)) : 0;
    return { found, current: CURRENT_VERSION };
  }

  return {
    version,
    async migrate() {
      const { found, current } = await version();
      if (found < current) {
        makeFolder(folder);
        const lock = lockFolder(folder);
        try {
          prepareDatabase(file, { clearHolders: false });
        } finally {
          lock.release();
        }
      }
      return { from: found, to: current };
    },
    status: () =>
      reading(async (database) => ({
        ...(await readStatistics(selectFrom(database), DIALECT)),
        sizes: ['holdword.db', 'holdword.db-wal']
          .filter((name) => existsSync(join(folder, name)))
          .map((name) => ({ name, bytes: statSync(join(folder, name)).size })),
      })),
    check: () =>
      reading(async (database) => {
        const { damage, notices } = await checkData(selectFrom(database), DIALECT);
        const pages = database.prepare('PRAGMA quick_check').all();
        const broken = pages.map((row) => text(row, 'quick_check')).filter((line) => line !== 'ok');
        return {
          damage: broken.length === 0 ? damage : [{ what: 'pages are damaged', subjects: broken }, ...damage],
          notices,
        };
      }),
    close: () => Promise.resolve(),
  };
}

function selectFrom(database: DatabaseSync): Select {
  return (sql) => Promise.resolve(database.prepare(sql).all());
}
