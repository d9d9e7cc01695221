import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/**
 * Creates an empty file that only its owner can access, unless it exists. An existing file is restricted to its owner if it
 * is ours.
 *
 * SQLite itself would create it with the permissions that the umask allows. An existing file is never opened here: closing
 * it again would drop the locks that this process holds on it.
 */
export function ensurePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    restrictToOwner(file);
  }
}

/** Does nothing if the file is missing, belongs to someone else or cannot be changed. */
export function restrictToOwner(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & OTHERS) === 0 || found.uid !== process.geteuid?.()) return;
  try {
    chmodSync(file, OWNER_ONLY);
  } catch {
    // For example on a file system without permissions. The data is served anyway.
  }
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
