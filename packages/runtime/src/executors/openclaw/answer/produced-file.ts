import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Where files may be sent from, and their size limit. */
export interface ProducedFiles {
  /** Absolute paths. A relative path is looked up in the first one. */
  readonly folders: readonly string[];
  readonly maxBytes: number;
}

/** Why a file is omitted, in words for callers, without its path. */
export class FileOmittedError extends Error {}

/**
 * Reads a file that an answer names. The name comes from a language model, which can be tricked into naming anything: a key
 * in the home folder, a link to one, a device. Only regular files inside the given folders are read, after resolving links,
 * and no hidden files.
 */
export async function readProducedFile(name: string, { folders, maxBytes }: ProducedFiles): Promise<Buffer> {
  const path = await realPathOf(name, folders);
  // Without O_NONBLOCK, opening a pipe would block until it has a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => {
      throw new FileOmittedError('it cannot be read');
    },
  );
  try {
    const status = await file.stat();
    if (!status.isFile()) throw new FileOmittedError('it is not a regular file');
    if (status.size > maxBytes) throw new FileOmittedError(`it is larger than ${maxBytes} bytes`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function realPathOf(name: string, folders: readonly string[]): Promise<string> {
  const [first = sep] = folders;
  const path = await realpath(resolve(first, name)).catch(() => {
    throw new FileOmittedError('it was not found');
  });
  const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  if (allowed.some((folder) => folder !== undefined && isVisibleIn(folder, path))) return path;
  throw new FileOmittedError('this agent is not allowed to send it');
}

function isVisibleIn(folder: string, path: string): boolean {
  const below = relative(folder, path);
  if (folder === sep || below === '' || isAbsolute(below)) return false;
  return !below.split(sep).some((segment) => segment.startsWith('.'));
}
