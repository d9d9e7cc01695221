import { join } from 'node:path';
import type { Store } from '../port.ts';
import type { OpenFixture } from './describe-store.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** Fixtures for backends that store their data in a folder. */
export function openInFolder(open: (folder: string) => Promise<Store>): OpenFixture {
  return async () => {
    const { folder, remove } = await makeTemporaryFolder();
    const data = join(folder, 'data');
    return { store: await open(data), reopen: () => open(data), remove };
  };
}
