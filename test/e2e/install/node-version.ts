import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const cache = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'holdword-node');

/**
 * The executable of a version of Node, from npm's packages of Node. `26` is the newest of that line when it is first asked
 * for. It stays in node_modules/.cache.
 */
export async function nodeVersion(version: string): Promise<string> {
  const folder = join(cache, version);
  if (!existsSync(folder)) await install(version, folder);
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(folder, 'node_modules', packageName(), 'bin', executable);
}

async function install(version: string, folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(join(cache, 'unfinished-'));
  await promisify(execFile)(
    'npm',
    [
      'install',
      `${packageName()}@${version}`,
      '--prefix',
      unfinished,
      '--prefer-offline',
      '--loglevel=error',
    ],
    { shell: process.platform === 'win32' },
  );
  // Another process may have been faster.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
}

/** The package `node` installs this one, with a script; without a script it is installed by its name. */
function packageName(): string {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = system === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${system}-${process.arch}`;
}
