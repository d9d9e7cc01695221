import { mkdirSync } from 'node:fs';
import { unavailable } from './refusals.ts';

/** Data folders are for the user who runs Parley alone. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unavailable(
      'the data folder cannot be created; check its parent folder and the permissions',
      error,
    );
  }
}
