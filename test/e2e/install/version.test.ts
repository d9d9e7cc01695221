import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { setVersion } from '../../../scripts/build/set-version.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const packages = await readdir(join(root, 'packages'));

const CHANGESET = `---
'@holdword/net': minor
---

Something that users notice.
`;

/** What a release changes, in a repository with one changeset. */
async function copyRepository(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const files = ['package.json', 'package-lock.json', '.npmrc', '.prettierrc.json', '.changeset/config.json'];
  const pages = ['docs/start/install.md', 'packages/openclaw-inbound/README.md'];
  const manifests = packages.map((name) => `packages/${name}/package.json`);
  const plugins = packages.filter((name) => name.startsWith('openclaw-'));
  const pluginManifests = plugins.map((name) => `packages/${name}/openclaw.plugin.json`);
  for (const file of [...files, ...pages, ...manifests, ...pluginManifests]) {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await cp(join(root, file), join(folder.path, file));
  }
  await writeFile(join(folder.path, '.changeset', 'a-change.md'), CHANGESET);
  // Where changesets finds the writer of changelogs.
  await mkdir(join(folder.path, 'node_modules'));
  await symlink(join(root, 'node_modules', '@changesets'), join(folder.path, 'node_modules', '@changesets'));
  const git = (...words: string[]) => run('git', words, { cwd: folder.path });
  await git('init', '--initial-branch=main');
  await git('add', '.changeset');
  await git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '-m', 'A change');
  return folder.path;
}

test('a changeset of one package makes a version of all', { timeout: 120_000 }, async () => {
  const folder = await copyRepository();
  const read = async (file: string) => readFile(join(folder, file), 'utf8');
  const before: string = JSON.parse(await read('packages/cli/package.json')).version;
  const version = await setVersion(folder);
  expect(version).not.toBe(before);

  for (const name of packages) {
    const manifest = JSON.parse(await read(`packages/${name}/package.json`));
    expect(manifest).toMatchObject({ version, private: true });
    const siblings = Object.entries<string>(manifest.dependencies ?? {}).filter(([each]) =>
      each.startsWith('@holdword/'),
    );
    for (const [sibling, wanted] of siblings) expect(wanted, sibling).toBe(version);
    const lock = JSON.parse(await read('package-lock.json'));
    expect(lock.packages[`packages/${name}`].version).toBe(version);
  }
  expect(await read('packages/net/CHANGELOG.md')).toContain('Something that users notice.');
  expect(JSON.parse(await read('packages/openclaw-inbound/openclaw.plugin.json')).version).toBe(version);
  expect(await read('docs/start/install.md')).toContain(`\n${version}\n`);
  expect(await read('packages/openclaw-inbound/README.md')).toContain(`-${version}.tgz`);

  const locked = JSON.parse(await read('package-lock.json')).packages;
  const lockedBefore = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;
  expect(Object.keys(locked)).toEqual(Object.keys(lockedBefore));
});
