import { lstat, mkdir } from 'node:fs/promises';

/**
 * Resolves nested folders below a root. None of them may be a symbolic link, which could redirect writes elsewhere. Creates
 * missing folders if asked to; otherwise returns undefined for them.
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
      throw new Error(`Files cannot be saved: "${name}" exists but is not a folder. Remove it.`);
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
