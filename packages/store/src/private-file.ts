import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/**
 * Makes the file, empty and for its owner alone, unless it exists. One that exists and is ours is closed to others.
 *
 * SQLite would make it readable by whomever the umask admits. A file that exists is never opened here: closing it again
 * would drop the locks that this process holds on it.
 */
export function ensurePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ALONE));
  } catch (error) {
    if (!isExisting(error)) throw error;
    closeToOthers(file);
  }
}

/** Leaves what is not there, not ours or not to be changed as it is. */
export function closeToOthers(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & OTHERS) === 0 || found.uid !== process.geteuid?.()) return;
  try {
    chmodSync(file, OWNER_ALONE);
  } catch {
    // A file system without permissions, for example. The data is served all the same.
  }
}

export function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
