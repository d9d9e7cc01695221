import { join } from 'node:path';
import { lockFolder } from '../folder-lock.ts';
import { makeFolder } from '../make-folder.ts';
import { TaskTable } from '../memory/task-table.ts';
import type { Store } from '../port.ts';
import type { Adopt } from './adopt.ts';
import { JournalFiles } from './journal-files.ts';
import { JsonFileStore } from './json-file-store.ts';
import { loadJournals } from './load-journals.ts';
import { RecordsFile } from './records-file.ts';
import { unavailable } from '../refusals.ts';
import { isStoreError } from '../store-error.ts';
import { SnapshotFiles } from './snapshot-files.ts';

export interface JsonFileStoreOptions {
  /** Holds `tasks/`, `snapshots/` and `records.json`; created when missing. */
  folder: string;
  /** Finds tasks that another program has kept; they are taken over when somebody asks for them. */
  adopt?: Adopt;
}

/** Rejects with a StoreError: `in-use`, `newer-version`, `corrupt`, `unavailable`. */
export async function openJsonFileStore(options: JsonFileStoreOptions): Promise<Store> {
  const tasksFolder = join(options.folder, 'tasks');
  const snapshotsFolder = join(options.folder, 'snapshots');
  makeFolder(tasksFolder);
  makeFolder(snapshotsFolder);
  const lock = lockFolder(options.folder);
  try {
    const tasks = new TaskTable();
    const records = await RecordsFile.open(join(options.folder, 'records.json'));
    const journals = new JournalFiles(tasksFolder, await loadJournals(tasksFolder, tasks));
    return new JsonFileStore({
      tasks,
      journals,
      records,
      snapshots: new SnapshotFiles(snapshotsFolder),
      lock,
      ...(options.adopt && { adopt: options.adopt }),
    });
  } catch (error) {
    lock.release();
    if (isStoreError(error)) throw error;
    throw unavailable('the data folder cannot be read; check the disk and the permissions', error);
  }
}
