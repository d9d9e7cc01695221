import { join } from 'node:path';
import { BackedStore, CommitListeners } from '../backed-store.ts';
import { makeFolder } from '../data-folder.ts';
import { TaskTable } from '../memory/task-table.ts';
import type { Store } from '../port.ts';
import { JournalFiles } from './journal-files.ts';
import { JsonFileBackend, type Adopt } from './json-file-backend.ts';
import { loadJournals } from './load-journals.ts';
import { RecordsFile } from './records-file.ts';
import { unavailable } from '../rejections.ts';
import { lockFolder } from '../sqlite/folder-lock.ts';
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
  const lock = await lockFolder(options.folder);
  try {
    const tasks = new TaskTable();
    const records = await RecordsFile.open(join(options.folder, 'records.json'));
    const lines = await loadJournals(tasksFolder, tasks);
    const snapshots = await SnapshotFiles.open(snapshotsFolder);
    for (const taskId of lines.keys()) tasks.addBytes(taskId, snapshots.sizeOf(taskId));
    const listeners = new CommitListeners();
    const backend = new JsonFileBackend({
      folder: options.folder,
      tasks,
      journals: new JournalFiles(tasksFolder, lines),
      records,
      snapshots,
      lock,
      adopt: options.adopt,
      listeners,
    });
    return new BackedStore(backend, listeners);
  } catch (error) {
    lock.release();
    if (isStoreError(error)) throw error;
    throw unavailable('cannot read the data folder; check the disk and the permissions', error);
  }
}
