import { randomUUID } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Replaces a file atomically: readers find the old or the new content, even after a crash. */
export async function replaceFile(file: string, content: string): Promise<void> {
  await replaceThrough(`${file}.draft`, 'w', file, (handle) => handle.writeFile(content));
}

/**
 * Replaces a file atomically when several writers may do so at once, or when the content arrives in pieces: each writer has
 * its own draft, whose name starts with a dot. If `write` throws, the file is not changed.
 */
export async function replaceSharedFile(
  file: string,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  await replaceThrough(join(dirname(file), `.${randomUUID()}.draft`), 'wx', file, write);
}

async function replaceThrough(
  draft: string,
  flags: 'w' | 'wx',
  file: string,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  try {
    const handle = await open(draft, flags, 0o600);
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}

/** Makes files that were added to or removed from a folder survive a power loss. Windows has no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Runs asynchronous work one at a time, in the order of the calls. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when all work passed to `run` so far has settled. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
