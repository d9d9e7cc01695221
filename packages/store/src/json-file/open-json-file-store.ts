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
import { unavailable } from '../rejections.ts';
import { isStoreError } from '../store-error.ts';
import { SnapshotFiles } from './snapshot-files.ts';

/** Where the JSON file store keeps its data. */
export interface JsonFileStoreOptions {
  /** The data folder, which contains `tasks/`, `snapshots/` and `records.json`. Created if missing. */
  folder: string;
  /** Looks up tasks of another program, which are adopted when they are first read. */
  adopt?: Adopt;
}

/** Loads all headers into memory. Documented for users in `open-stores.ts`. */
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
    throw unavailable('cannot read the data folder; check the disk and the permissions', error);
  }
}
