import { randomUUID } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** Replaces the file as a whole: whoever looks, also after a crash, finds the old content or the new one. */
export async function replaceFile(file: string, content: string): Promise<void> {
  await replaceThrough(`${file}.draft`, 'w', file, (handle) => handle.writeFile(content));
}

/**
 * The same for a file that several may replace at once, and for content that comes bit by bit: each has a draft of its
 * own, whose name begins with a dot. When `write` throws, the file stays as it was.
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
