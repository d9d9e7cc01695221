import { lstat, mkdir } from 'node:fs/promises';

/**
 * Goes down into folders below a root, one after the other. None of them may be a link: whoever can put one there would
 * choose where files are written. Creates what is missing when told so; otherwise gives undefined for it.
 */
export async function plainFolder(
  root: string,
  names: readonly string[],
  options: { create: boolean },
): Promise<string | undefined> {
  if (options.create) await mkdir(root, { recursive: true, mode: 0o700 });
  let folder = root;
  for (const name of names) {
    folder = `${folder}/${name}`;
    if (options.create) await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting);
    const found = await lstat(folder).catch(ignoreMissing);
    if (found === undefined) return undefined;
    if (!found.isDirectory()) {
      throw new Error(`Expected a folder for files named "${name}", found something else. Remove it.`);
    }
  }
  return folder;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
