import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { unavailable } from './refusals.ts';

/** Data folders are for the user who runs Holdword alone. */
export function makeFolder(folder: string): void {
  try {
    makeWithParents(folder);
  } catch (error) {
    throw unavailable(
      'the data folder cannot be created; check its parent folder and the permissions',
      error,
    );
  }
}

/** Not left to Node: it tries for ever where a file system such as /proc says that the parent is missing, and it is not. */
function makeWithParents(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(folder);
  if (!existsSync(parent)) makeWithParents(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
