import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { unavailable } from './rejections.ts';

/** Creates a data folder that only the user running Holdword can access. */
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

/** Not `recursive: true`: Node retries for ever on file systems such as /proc that report an existing parent as missing. */
function makeWithParents(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(folder);
  if (!existsSync(parent)) makeWithParents(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
