import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlreadyExists } from '../private-file.ts';
import { unavailable } from '../rejections.ts';
import { StoreError } from '../store-error.ts';
import { connectForReading } from './connect.ts';
import { rejectForeignDatabase } from './prepare-database.ts';
import { storeErrorFromSqlite } from './sqlite-error.ts';

/** Works while a server writes to the database. Documented for users in `open-stores.ts`. */
export async function backupSqlite(folder: string, copy: string): Promise<void> {
  const file = join(folder, 'holdword.db');
  if (!existsSync(file)) {
    throw new StoreError('unavailable', 'There is no holdword.db in the data folder; check --data.');
  }
  rejectForeignDatabase(file);
  await makeEmpty(copy);
  const database = connectForReading(file);
  try {
    database.prepare('VACUUM INTO ?').run(copy);
  } catch (error) {
    await rm(copy, { force: true });
    throw storeErrorFromSqlite(error, 'holdword.db');
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
    if (isAlreadyExists(error)) {
      throw new StoreError('unavailable', 'The backup file already exists; choose a different name.');
    }
    throw unavailable('the backup file cannot be created; check its folder and the permissions', error);
  }
}
