import { chmod, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file that only this user can read, in folders of which the same holds if they are new. Readers see it whole or not at all. */
export async function writeSecretFile(path: string, text: string): Promise<void> {
  const { makeFolders } = await import('@holdword/store/internal');
  makeFolders(dirname(path));
  const next = `${path}.${process.pid}.new`;
  await writeFile(next, text, { mode: 0o600 });
  // One that an earlier process left behind keeps its own mode otherwise.
  await chmod(next, 0o600);
  await rename(next, path);
}
