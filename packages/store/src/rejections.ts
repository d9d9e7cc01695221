import { errorCode } from '@holdword/protocol/internal';
import { StoreError } from './store-error.ts';

// Errors that all backends share, so that their wording is the same everywhere.

export function unknownTask(taskId: string): StoreError {
  return new StoreError('unknown-task', `Task ${taskId} does not exist.`);
}

export function taskExists(taskId: string): StoreError {
  return new StoreError(
    'sequence-conflict',
    `Task ${taskId} already exists; create the task with a different ID.`,
  );
}

export function staleFence(taskId: string, fence: number, current: number): StoreError {
  return new StoreError(
    'stale-fence',
    `Stale fence ${fence} for task ${taskId} (current: ${current}): its lease has since been acquired again; stop writing.`,
  );
}

export function sequenceConflict(taskId: string, firstSequence: number, expected: number): StoreError {
  return new StoreError(
    'sequence-conflict',
    `Sequence conflict in task ${taskId}: expected ${expected}, found ${firstSequence}; read the journal before writing again.`,
  );
}

export function storeClosed(): StoreError {
  return new StoreError('closed', 'The store is closed; open it again.');
}

export function folderInUse(): StoreError {
  return new StoreError(
    'in-use',
    'The data folder is in use by another Holdword process; stop that process or use a different data folder.',
  );
}

export function newerVersion(name: string, found: number, supported: number): StoreError {
  return new StoreError(
    'newer-version',
    `${name} has version ${found}, written by a newer Holdword; this one supports version ${supported} and older. ` +
      'Upgrade Holdword or use a different data folder. The file was not changed.',
  );
}

export function corrupt(name: string, problem: string, cause?: unknown): StoreError {
  return new StoreError(
    'corrupt',
    `Cannot read ${name}: ${problem}; restore it from a backup or use a different data folder.`,
    { cause },
  );
}

const DISK_IS_FULL = 'the disk is full; free some space and try again';
const KNOWN_CAUSES: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', DISK_IS_FULL],
  ['EMFILE', 'the process has too many open files; raise its limit (ulimit -n, LimitNOFILE)'],
  ['EDQUOT', 'the disk quota of the user is used up; free some space and try again'],
  ['EROFS', 'the disk is read-only; use a different data folder'],
]);

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

export function diskFull(cause?: unknown, problem: string = DISK_IS_FULL): StoreError {
  return new StoreError('unavailable', unavailable(problem, cause).message, { cause, isDiskFull: true });
}

/** A cause that the operating system names is said instead of the usual suspects. */
export function unavailable(problem: string, cause?: unknown): StoreError {
  const code = errorCode(cause) ?? '';
  return new StoreError('unavailable', `The store is unavailable: ${KNOWN_CAUSES.get(code) ?? problem}.`, {
    cause,
    isDiskFull: FULL.has(code),
  });
}
