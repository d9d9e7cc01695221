import { hasErrorCode } from '@holdword/protocol/internal';
import { existsSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Administration } from '../administration.ts';
import { isInFolder, makeFolder } from '../data-folder.ts';
import { storedText } from '../sql/rows.ts';
import { checkData, readStatistics, type Dialect, type Select } from '../sql/inspect-data.ts';
import { StoreError } from '../store-error.ts';
import { connectForReading, prepareDatabase, rejectForeignDatabase } from './connect.ts';
import { awaitMissingLock, lockFolderNow } from './folder-lock.ts';
import { checkVersion, CURRENT_VERSION } from './migrations.ts';
import { storeErrorFromSqlite } from './sqlite-error.ts';

const DATABASE = 'holdword.db';

const DIALECT: Dialect = {
  journal:
    'SELECT position >> 32 AS task, first_sequence, position & 4294967295 AS last_sequence, lines FROM journal',
  newline: 'char(10)',
  now: "CAST(unixepoch('subsec') * 1000 AS integer)",
};

/** Works while a server uses the folder. Documented for users in `open-stores.ts`. */
export function administerSqlite(folder: string): Administration {
  const file = join(folder, DATABASE);

  /** Each use sees a consistent snapshot. */
  async function reading<Result>(use: (database: DatabaseSync) => Promise<Result>): Promise<Result> {
    let database: DatabaseSync | undefined;
    try {
      database = connectForReading(file);
      database.exec('BEGIN');
      return await use(database);
    } catch (error) {
      throw storeErrorFromSqlite(error, DATABASE);
    } finally {
      database?.close();
    }
  }

  async function version(): Promise<{ found: number; current: number }> {
    const found = isInFolder(folder, DATABASE)
      ? await reading(async (database) => checkVersion(database))
      : 0;
    return { found, current: CURRENT_VERSION };
  }

  return {
    version,
    async migrate() {
      const { found, current } = await version();
      if (found < current) {
        makeFolder(folder);
        await awaitMissingLock(folder);
        const lock = lockFolderNow(folder);
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
        sizes: [DATABASE, `${DATABASE}-wal`]
          .filter((name) => existsSync(join(folder, name)))
          .map((name) => ({ name, bytes: statSync(join(folder, name)).size })),
      })),
    check: () =>
      reading(async (database) => {
        const { damage, notices } = await checkData(selectFrom(database), DIALECT);
        const pages = database.prepare('PRAGMA quick_check').all();
        const broken = pages.map((row) => storedText(row, 'quick_check')).filter((line) => line !== 'ok');
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

/** Works while a server writes to the database. Documented for users in `open-stores.ts`. */
export async function backupSqlite(folder: string, copy: string): Promise<void> {
  const file = join(folder, DATABASE);
  if (!isInFolder(folder, DATABASE)) {
    throw new StoreError('unavailable', 'There is no holdword.db in the data folder.');
  }
  rejectForeignDatabase(file);
  await makeEmpty(copy);
  const database = connectForReading(file);
  try {
    database.prepare('VACUUM INTO ?').run(copy);
  } catch (error) {
    await rm(copy, { force: true });
    throw storeErrorFromSqlite(error, DATABASE);
  } finally {
    database.close();
  }
  // SQLite does not sync the copy, and a backup must survive a power loss.
  const written = await open(copy, 'r+');
  await written.sync();
  await written.close();
}

/** SQLite copies into an existing file if it is empty, and keeps its permissions. */
async function makeEmpty(file: string): Promise<void> {
  try {
    const made = await open(file, 'wx', 0o600);
    await made.close();
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) {
      throw new StoreError('unavailable', 'The backup file already exists; choose a different name.');
    }
    throw new StoreError(
      'unavailable',
      'The backup file cannot be created; check its folder and the permissions.',
      { cause: error },
    );
  }
}
