import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pause } from '@holdword/protocol/internal';
import { ensurePrivateFile } from '../data-folder.ts';
import { diskFull, folderInUse, unavailable } from '../rejections.ts';
import { isStoreError, type StoreError } from '../store-error.ts';
import { sqliteErrorCode, SQLITE_BUSY, SQLITE_FULL } from './sqlite-error.ts';

const NAME = 'holdword.lock';
/** How often the holder makes sure that the lock file is still there. */
const GUARD_MILLISECONDS = 1_000;
/** Long enough for a running process to put a lock file back that was removed. */
const MISSING_MILLISECONDS = 2_500;

/** Held as long as the store is open. The operating system releases it when the process dies. */
export interface FolderLock {
  /** Why nothing may be written: another process may use the folder. Undefined while the lock is held. */
  readonly problem: StoreError | undefined;
  release(): void;
}

/**
 * Makes this the only store that serves the folder. The lock is an exclusive transaction on a dedicated file: it is never
 * stale, so it never needs to be broken. If somebody removes the file, its holder puts it back within a second. A folder with
 * data and without a lock file is therefore given that time before it is locked.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await awaitMissingLock(folder);
  return lockFolderNow(folder);
}

/** Gives a process whose lock file was removed the time to put it back. */
export async function awaitMissingLock(folder: string): Promise<void> {
  if (!existsSync(join(folder, NAME)) && hasData(folder)) await pause(MISSING_MILLISECONDS);
}

/** For work that ends in the same tick. */
export function lockFolderNow(folder: string): FolderLock {
  return new GuardedLock(join(folder, NAME));
}

class GuardedLock implements FolderLock {
  problem: StoreError | undefined;
  readonly #file: string;
  readonly #guard: NodeJS.Timeout;
  #held: HeldFile;

  constructor(file: string) {
    this.#file = file;
    this.#held = lockFile(file);
    this.#guard = setInterval(() => this.#check(), GUARD_MILLISECONDS);
    this.#guard.unref();
  }

  release(): void {
    clearInterval(this.#guard);
    this.#held.close();
  }

  /** The lock belongs to the file, not to its name: a new file under that name is not locked. */
  #check(): void {
    const { identity } = this.#held;
    if (identity !== undefined && fileIdentity(this.#file) === identity) {
      this.problem = undefined;
      return;
    }
    try {
      const restored = lockFile(this.#file);
      this.#held.close();
      this.#held = restored;
      this.problem = undefined;
    } catch (error) {
      this.problem = lockLost(error, dirname(this.#file));
    }
  }
}

interface HeldFile {
  readonly identity: string | undefined;
  close(): void;
}

function lockFile(file: string): HeldFile {
  let database: DatabaseSync | undefined;
  try {
    ensurePrivateFile(file);
    database = new DatabaseSync(file);
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    const held = database;
    return { identity: fileIdentity(file), close: () => held.close() };
  } catch (error) {
    database?.close();
    throw lockFailure(error);
  }
}

/** The same for a file as long as it exists, whatever its name is. Undefined if no file is found. */
export function fileIdentity(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    return undefined;
  }
}

function hasData(folder: string): boolean {
  if (existsSync(join(folder, 'holdword.db'))) return true;
  try {
    return readdirSync(join(folder, 'tasks')).length > 0;
  } catch {
    return false;
  }
}

/** Why a lock file that was removed could not be put back. */
function lockLost(error: unknown, folder: string): StoreError {
  if (isStoreError(error) && error.code === 'in-use') {
    return unavailable(
      `${NAME} was removed or replaced, and another Holdword process serves the data folder now; stop one of them`,
    );
  }
  return isStoreError(error) && existsSync(folder)
    ? error
    : unavailable(
        'the data folder was moved or removed; put it back, or restore a backup and restart Holdword',
        error,
      );
}

/** Why a folder could not be locked. */
export function lockFailure(error: unknown): StoreError {
  const code = sqliteErrorCode(error);
  if (code === SQLITE_BUSY) return folderInUse();
  // The lock file is written when it is new.
  if (code === SQLITE_FULL) return diskFull(error);
  return unavailable('the data folder cannot be locked; check its permissions', error);
}
