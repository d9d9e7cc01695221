import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs `npm pack` in a folder and returns the path of the tarball. */
export async function packFolder(folder: string, target: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--json', '--loglevel=error', '--pack-destination', target],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' },
  );
  const [packed]: { filename: string }[] = JSON.parse(stdout);
  if (packed === undefined) throw new Error(`npm pack made no tarball of ${folder}; it printed: ${stdout}`);
  return join(target, packed.filename);
}
