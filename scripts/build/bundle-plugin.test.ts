import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { bundlePlugin } from './bundle-plugin.ts';

/** The pinned Node, for OpenClaw runs its plugins on a newer one than our packages need. */
const node = join(import.meta.dirname, '..', '..', 'node_modules', 'node', 'bin', 'node');

const compiler = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');

const PROGRAM = `
  import plugin from './plugin/index.js';
  console.log(plugin.id);
`;

const TYPED_PROGRAM = `
  import type { RemoteAgentRequest, RemoteAgentResult } from './plugin';
  export const request: RemoteAgentRequest = { action: 'send', parts: [{ kind: 'text', text: 'hi' }] };
  export function textOf(result: RemoteAgentResult): string | undefined {
    if (!result.ok) return result.error.message;
    return 'message_text' in result.summary ? result.summary.message_text : undefined;
  }
  // @ts-expect-error The contract has no such action.
  export const wrong: RemoteAgentRequest = { action: 'destroy' };
`;

test('a bundled plugin loads where there is nothing else', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await bundlePlugin('openclaw-outbound', join(folder, 'plugin'));
  await writeFile(join(folder, 'program.mjs'), PROGRAM);
  const { stdout } = await promisify(execFile)(node, ['program.mjs'], { cwd: folder });
  expect(stdout).toBe('openclaw-a2a-outbound\n');

  await writeFile(join(folder, 'typed.ts'), TYPED_PROGRAM);
  const options = ['--noEmit', '--strict', '--module', 'preserve', '--types', ''];
  const compiled = promisify(execFile)(node, [compiler, ...options, 'typed.ts'], { cwd: folder });
  expect(
    await compiled.catch(({ stdout: issues }: { stdout: string }) => ({ stdout: issues })),
  ).toMatchObject({
    stdout: '',
  });

  const files = await readdir(join(folder, 'plugin'));
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'openclaw.plugin.json', 'writer-thread.js']));
  const own = files.filter((file) => file.endsWith('.js')).map((file) => join(folder, 'plugin', file));
  for (const file of own) expect(await readFile(file, 'utf8')).not.toMatch(/new Function\(|\beval\(/);
  const manifest = JSON.parse(await readFile(join(folder, 'plugin', 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ openclaw: { extensions: ['./index.js'] } });
  const libraries = join(folder, 'plugin', 'node_modules', '@holdword', 'openclaw-a2a-outbound-libraries');
  expect(manifest).toMatchObject({
    dependencies: { '@holdword/openclaw-a2a-outbound-libraries': manifest.version },
    bundledDependencies: ['@holdword/openclaw-a2a-outbound-libraries'],
  });
  expect(await readdir(libraries)).toEqual(expect.arrayContaining(['package.json', 'zod.js']));
  const imported = /^import .* from "(?!node:)(?!\.\/)/m;
  for (const file of (await readdir(libraries)).filter((each) => each.endsWith('.js'))) {
    expect(await readFile(join(libraries, file), 'utf8'), file).not.toMatch(imported);
  }
  const licenses = await readFile(join(libraries, 'LICENSES.txt'), 'utf8');
  expect(licenses).toMatch(/^zod \d.*\nLicense: MIT\n\nMIT License/m);
});

test('a plugin that can use PostgreSQL has its functions beside the code that reads them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await bundlePlugin('openclaw-inbound', folder);
  const files = await readdir(folder);
  const readers = await Promise.all(
    files
      .filter((file) => file.endsWith('.js'))
      .map(async (file) => (await readFile(join(folder, file), 'utf8')).includes('functions.sql')),
  );
  expect(readers).toContain(true);
  expect(files).toContain('functions.sql');
});
