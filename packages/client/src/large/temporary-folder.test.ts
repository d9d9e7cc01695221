import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeTemporaryFolder, removeAbandonedFolders } from './temporary-folder.ts';

/** The folder for temporary files during this test. */
async function useTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-temporary-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  return folder;
}

const MAKES_FOLDER = `
  import { makeTemporaryFolder } from ${JSON.stringify(new URL('temporary-folder.ts', import.meta.url).href)};
  console.log(makeTemporaryFolder());
  setInterval(() => {}, 1000);
`;

test('the folder of a process is removed after the process was killed, not before', async () => {
  await useTemporaryFolder();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', MAKES_FOLDER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const folder = line.toString().trim();
  const own = makeTemporaryFolder();
  await removeAbandonedFolders();
  expect([existsSync(folder), existsSync(own)]).toEqual([true, true]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await removeAbandonedFolders();
  expect([existsSync(folder), existsSync(own)]).toEqual([false, true]);
});

test('a folder of another container or boot is removed when it is old', async () => {
  const folder = await useTemporaryFolder();
  const [fresh, old] = ['holdword-large-0123456789ab-1-aaaaaa', 'holdword-large-0123456789ab-1-bbbbbb'];
  const other = basename(makeTemporaryFolder()).replace(/-\w{6}$/, '');
  for (const name of [fresh, old, other]) await mkdir(join(folder, name));
  const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  for (const name of [old, other]) await utimes(join(folder, name), longAgo, longAgo);
  await removeAbandonedFolders();
  expect([fresh, old, other].map((name) => existsSync(join(folder, name)))).toEqual([true, false, true]);
});

test('a link that looks like a folder is not followed', async () => {
  const folder = await useTemporaryFolder();
  const target = join(folder, 'target');
  await mkdir(target);
  const link = join(folder, 'holdword-large-0123456789ab-1-aaaaaa');
  await symlink(target, link);
  await removeAbandonedFolders();
  expect([existsSync(target), existsSync(link)]).toEqual([true, true]);
});
