import { hasErrorCode } from '@holdword/protocol/internal';
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskFull, unavailable } from './rejections.ts';
import { isStoreError } from './store-error.ts';

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;
const OTHERS = 0o077;

/** Whether a data folder has a file. Throws a StoreError if it cannot be read: then the data is not known to be missing. */
export function isInFolder(folder: string, name: string): boolean {
  try {
    if (!statSync(folder).isDirectory()) throw unavailable(IS_FILE);
    statSync(join(folder, name));
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    if (hasErrorCode(error, 'ENOTDIR')) throw unavailable(IS_FILE, error);
    if (isStoreError(error)) throw error;
    throw unavailable(
      'the data folder cannot be read; check its permissions, or run this as the user who runs the server',
      error,
    );
  }
}

const IS_FILE = 'the data folder is a file; use a different data folder';

/** Creates a data folder that only the user running Holdword can access. */
export function makeFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isFile()) throw unavailable(IS_FILE, error);
    throw unavailable(
      'the data folder cannot be created; check its parent folder and the permissions',
      error,
    );
  }
}

/**
 * Creates a folder and its parents, unless they exist.
 *
 * Not `recursive: true`: Node retries for ever on file systems such as /proc that report an existing parent as missing.
 */
export function makeFolders(folder: string, mode = OWNER_ONLY_FOLDER): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(folder);
  if (!existsSync(parent)) makeFolders(parent, mode);
  try {
    mkdirSync(folder, { mode });
    syncEntries(parent);
  } catch (error) {
    // Another process may have created it first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/**
 * Creates an empty file that only its owner can access, unless it exists. An existing file is restricted to its owner if it
 * is ours.
 *
 * SQLite itself would create it with the permissions that the umask allows. An existing file is never opened here: closing
 * it again would drop the locks that this process holds on it.
 */
export function ensurePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY_FILE));
    syncEntries(dirname(file));
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    restrictToOwner(file);
  }
}

/** Makes a new entry of a folder survive a power loss, with what is synced into it later (J1). */
function syncEntries(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } catch {
    // Some network file systems sync no folders.
  } finally {
    closeSync(handle);
  }
}

/** What a disk must have free for messages to be accepted: the answers to them have to be stored as well. */
const LEAST_FREE_BYTES = 1024 * 1024;

/** Rejects if the disk of the folder is full. */
export async function checkFreeSpace(folder: string): Promise<void> {
  const { bavail, bsize, blocks } = await statfs(folder).catch((error: unknown) => {
    throw unavailable('the data folder cannot be read; check the disk and the permissions', error);
  });
  // Some file systems do not say how large they are.
  if (blocks > 0 && bavail * bsize < LEAST_FREE_BYTES) throw diskFull();
}

/** Does nothing if the file is missing, belongs to someone else or cannot be changed. */
export function restrictToOwner(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & OTHERS) === 0 || found.uid !== process.geteuid?.()) return;
  try {
    chmodSync(file, OWNER_ONLY_FILE);
  } catch {
    // For example on a file system without permissions. The data is served anyway.
  }
}
