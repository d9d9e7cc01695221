import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const tools = join(import.meta.dirname, '..', '..', 'node_modules');

/**
 * Turns the changesets of a repository into the next version: of all packages and what names it, in their changelogs and in
 * the lock file. Returns the version, which is the old one if nothing has changed.
 */
export async function setVersion(root: string): Promise<string> {
  const before = await versionIn(root);
  const changesets = join(tools, '@changesets', 'cli', 'bin.js');
  await run(process.execPath, [changesets, 'version'], root);
  const version = await versionIn(root);
  if (version === before) return version;

  for (const file of filesIn(root, 'packages/*/openclaw.plugin.json')) {
    await replaceIn(file, `"version": "${before}"`, `"version": "${version}"`);
  }
  for (const file of filesIn(root, '{docs/**,packages/*}/*.md')) {
    if (!file.endsWith('CHANGELOG.md')) await quoteVersion(file, before, version);
  }
  const prettier = join(tools, 'prettier', 'bin', 'prettier.cjs');
  const written = [...filesIn(root, 'packages/*/CHANGELOG.md'), ...filesIn(root, 'packages/*/package.json')];
  await run(process.execPath, [prettier, '--write', ...written], root);
  await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline'], root);
  return version;
}

async function run(command: string, words: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)(command, words, { cwd }).catch((error: Error & { stdout: string }) => {
    throw new Error(`${error.message}${error.stdout}`, { cause: error });
  });
}

async function versionIn(root: string): Promise<string> {
  return JSON.parse(await readFile(join(root, 'packages', 'cli', 'package.json'), 'utf8')).version;
}

function filesIn(root: string, pattern: string): string[] {
  return globSync(pattern, { cwd: root }).map((file) => join(root, file));
}

/** Pages show the version as a line that a command prints, and in the names of tarballs. */
async function quoteVersion(file: string, before: string, version: string): Promise<void> {
  await replaceIn(file, `\n${before}\n`, `\n${version}\n`);
  await replaceIn(file, `-${before}.tgz`, `-${version}.tgz`);
}

async function replaceIn(file: string, before: string, after: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  if (text.includes(before)) await writeFile(file, text.replaceAll(before, after));
}
