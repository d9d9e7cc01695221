import { chown, copyFile, lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';

/** What belongs only to the running server. */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'backup_label', 'tablespace_map']);
const LOG = 'pg_wal';

/**
 * Copies the data of a server under load into a new folder, as `pg_basebackup` does: the server is told that a backup
 * starts, files are copied while they change, and the log written meanwhile makes them consistent when a server starts
 * on the copy.
 */
export async function copyRunningPostgres(url: string, copy: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const data = rows[0]?.data_directory ?? '';
    await client.query("SELECT pg_backup_start('copy', fast => true)");
    await copyFolder(data, copy, (name) => !NOT_COPIED.has(name) && name !== LOG);
    const stopped = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    const label = join(copy, 'backup_label');
    await writeFile(label, stopped.rows[0]?.labelfile ?? '');
    const { uid, gid } = await lstat(data);
    await chown(label, uid, gid);
    await copyFolder(join(data, LOG), join(copy, LOG), () => true);
  } finally {
    await client.end();
  }
}

/** Files that disappear meanwhile are skipped. */
async function copyFolder(from: string, to: string, isWanted: (name: string) => boolean): Promise<void> {
  const { uid, gid, mode } = await lstat(from);
  await mkdir(to, { mode, recursive: true });
  await chown(to, uid, gid);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!isWanted(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target, () => true);
    else await copyAsOwned(source, target);
  }
}

async function copyAsOwned(source: string, target: string): Promise<void> {
  try {
    const { uid, gid } = await lstat(source);
    await copyFile(source, target);
    await chown(target, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
