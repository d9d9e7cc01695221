import { StoreError } from './store-error.ts';

// The refusals that every backend gives, in the same words.

export function unknownTask(taskId: string): StoreError {
  return new StoreError('unknown-task', `Expected a task that exists, found none with the id ${taskId}.`);
}

export function taskExists(taskId: string): StoreError {
  return new StoreError(
    'sequence-conflict',
    `Expected a new task id, found that the journal of ${taskId} has begun already; create the task under another id.`,
  );
}

export function staleFence(taskId: string, fence: number, current: number): StoreError {
  return new StoreError(
    'stale-fence',
    `Expected fence ${current} for task ${taskId}, found ${fence}: its lease has been taken since; stop writing.`,
  );
}

export function sequenceConflict(taskId: string, firstSequence: number, expected: number): StoreError {
  return new StoreError(
    'sequence-conflict',
    `Expected sequence number ${expected} next for task ${taskId}, found ${firstSequence}; read the journal before writing again.`,
  );
}

export function storeClosed(): StoreError {
  return new StoreError('closed', 'Expected an open store, found it closed; open it again.');
}

export function folderInUse(): StoreError {
  return new StoreError(
    'in-use',
    'Expected a data folder that nobody serves, found another Holdword serving it; stop that one or use another --data folder.',
  );
}

export function newerVersion(name: string, found: number, supported: number): StoreError {
  return new StoreError(
    'newer-version',
    `Expected ${name} in version ${supported} or older, found version ${found}, written by a newer Holdword; ` +
      'install that Holdword again or use another --data folder. The file was left as it is.',
  );
}

export function corrupt(name: string, problem: string, cause?: unknown): StoreError {
  return new StoreError(
    'corrupt',
    `Expected ${name} to be readable, found that ${problem}; restore it from a backup or use another --data folder.`,
    { cause },
  );
}

export function unavailable(problem: string, cause?: unknown): StoreError {
  return new StoreError('unavailable', `Expected the store to do its work, found: ${problem}.`, { cause });
}
