import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isExisting } from '../private-file.ts';
import { unavailable } from '../refusals.ts';
import { StoreError } from '../store-error.ts';
import { connectForReading } from './connect.ts';
import { refuseForeignDatabase } from './prepare-database.ts';
import { storeErrorFromSqlite } from './sqlite-error.ts';

/**
 * Copies the database of a data folder into a new file, as it stands at one moment, also while a server writes to it:
 * everything acknowledged before the call is in the copy. The copy holds the same secrets and is for its owner alone.
 * Rejects with a StoreError.
 */
export async function backupSqlite(folder: string, copy: string): Promise<void> {
  const file = join(folder, 'holdword.db');
  if (!existsSync(file))
    throw refused('a database to copy', 'no holdword.db in the data folder; check --data');
  refuseForeignDatabase(file);
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
  // SQLite leaves this to the system, and a copy that a power failure takes is none.
  const written = await open(copy, 'r+');
  await written.sync();
  await written.close();
}

/** SQLite copies into a file that is there when it is empty, and leaves its permissions as they are. */
async function makeEmpty(file: string): Promise<void> {
  try {
    const made = await open(file, 'wx', 0o600);
    await made.close();
  } catch (error) {
    if (isExisting(error)) throw refused('a new file to copy into', 'that it exists; name another one');
    throw unavailable('the copy cannot be created; check its folder and the permissions', error);
  }
}

function refused(expected: string, found: string): StoreError {
  return new StoreError('unavailable', `Expected ${expected}, found ${found}.`);
}
