import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Where files may be sent from, and how large they may be. */
export interface ProducedFiles {
  /** Absolute paths. A relative path is looked up in the first one. */
  readonly folders: readonly string[];
  readonly maxBytes: number;
}

/** Why a file is left out, in words for callers: no path. */
export class FileLeftOut extends Error {}

/**
 * Reads a file that an answer names. The name comes from a language model, which somebody may have talked into naming
 * anything: a key in the home folder, a link to one, a device. Only regular files in the given folders are read, links
 * followed first, and nothing that is hidden.
 */
export async function readProducedFile(name: string, { folders, maxBytes }: ProducedFiles): Promise<Buffer> {
  const path = await realPathOf(name, folders);
  // Without O_NONBLOCK, opening a pipe would wait for somebody to write to it.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => {
      throw new FileLeftOut('it could not be read');
    },
  );
  try {
    const status = await file.stat();
    if (!status.isFile()) throw new FileLeftOut('it is not a regular file');
    if (status.size > maxBytes) throw new FileLeftOut(`it is larger than ${maxBytes} bytes`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function realPathOf(name: string, folders: readonly string[]): Promise<string> {
  const [first = sep] = folders;
  const path = await realpath(resolve(first, name)).catch(() => {
    throw new FileLeftOut('it was not found');
  });
  const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  if (allowed.some((folder) => folder !== undefined && isVisibleIn(folder, path))) return path;
  throw new FileLeftOut('it is not one of the files that this agent may send');
}

function isVisibleIn(folder: string, path: string): boolean {
  const below = relative(folder, path);
  if (folder === sep || below === '' || isAbsolute(below)) return false;
  return !below.split(sep).some((segment) => segment.startsWith('.'));
}
