import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** Replaces the file as a whole: whoever looks, also after a crash, finds the old content or the new one. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.draft`;
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(content);
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
