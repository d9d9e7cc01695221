import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '@holdword/store';
import { readAllEvents } from '@holdword/store/testing';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Ledger } from '../ledger.ts';

const DATABASE = 'holdword.db';
const LOG = 'holdword.db-wal';

/**
 * Verifies the files of a killed server, without the shared memory file that a power loss would also lose: the database must
 * be intact and contain everything acknowledged before any recovery.
 */
export async function examineCopy(dataFolder: string, ledger: Ledger): Promise<void> {
  const folder = await temporaryFolder();
  try {
    for (const file of [DATABASE, LOG]) await copyFile(join(dataFolder, file), join(folder.path, file));
    checkIntegrity(join(folder.path, DATABASE), ledger);
    const store = await openSqliteStore({ folder: folder.path });
    for (const taskId of ledger.touched) {
      const events = await readAllEvents(store, taskId);
      if (events.length === 0) ledger.violations.push(`task ${taskId} is not in the copied database`);
      ledger.violations.push(...ledger.missingEvents(taskId, events));
    }
    await store.close();
  } finally {
    await folder.remove();
  }
}

function checkIntegrity(file: string, ledger: Ledger): void {
  const database = new DatabaseSync(file);
  const rows = database.prepare('PRAGMA integrity_check').all();
  database.close();
  const [row] = rows;
  if (rows.length !== 1 || row?.['integrity_check'] !== 'ok') {
    ledger.violations.push(`the copied database is damaged: ${JSON.stringify(rows)}`);
  }
}
