import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasErrorCode } from '@holdword/protocol/internal';

const PREFIX = 'holdword-large-';
/** The processes among which a pid is unique, the pid, and what `mkdtemp` appends. */
const NAME = /^holdword-large-([0-9a-f]{12})-(\d{1,10})-\w{6}$/;
/** Of each start, so that it does not take long. */
const MAX_REMOVED = 100;
/** Whether a process of another container or of an earlier boot runs cannot be seen; after this time without a change, it does not. */
const MAX_AGE_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

/** Creates a folder for this process. */
export function makeTemporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), `${PREFIX}${processSpace()}-${process.pid}-`));
}

/** Removes the folders of processes that were killed. What cannot be removed now does no harm. */
export async function removeAbandonedFolders(): Promise<void> {
  const parent = tmpdir();
  const names = await readdir(parent).catch(() => []);
  let removed = 0;
  for (const name of names) {
    if (removed === MAX_REMOVED) return;
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(parent, name);
    try {
      if (!(await isAbandoned(name, folder))) continue;
      await rm(folder, { recursive: true, force: true });
      removed += 1;
    } catch {
      // See above.
    }
  }
}

async function isAbandoned(name: string, folder: string): Promise<boolean> {
  const [, space, pid] = NAME.exec(name) ?? [];
  if (pid === undefined) return false;
  const found = await lstat(folder);
  // The folder for temporary files is shared with other users.
  if (!found.isDirectory() || found.uid !== (process.geteuid?.() ?? found.uid)) return false;
  if (space === processSpace()) return !isRunning(Number(pid));
  return Date.now() - found.mtimeMs > MAX_AGE_MILLISECONDS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasErrorCode(error, 'ESRCH');
  }
}

/** Differs between machines, boots and containers, whose processes have the same pids. */
function processSpace(): string {
  const parts = [
    hostname(),
    ...[
      () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'),
      () => readlinkSync('/proc/self/ns/pid'),
    ].map(orNothing),
  ];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12);
}

/** Only Linux has these. */
function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
