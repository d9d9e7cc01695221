import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
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
  import plugin from '@holdword/openclaw-a2a-outbound';
  import type { RemoteAgentRequest, RemoteAgentResult, SummaryOf } from '@holdword/openclaw-a2a-outbound';
  export const id: string = plugin.id;
  declare function call<const Request extends RemoteAgentRequest>(
    request: Request,
  ): Promise<RemoteAgentResult<SummaryOf<Request>>>;
  export async function calls(unknown: RemoteAgentRequest): Promise<unknown[]> {
    const one = await call({ action: 'send', parts: [{ kind: 'text', text: 'hi' }] });
    const several = await call({ action: 'send', target_aliases: ['a', 'b'] });
    const waited = await call({ action: 'watch', wait_for: { task_handles: ['h'] } });
    const targets = await call({ action: 'list_targets' });
    const any = await call(unknown);
    return [
      one.ok && one.summary.message_text,
      several.ok && several.summary.branches.length,
      waited.ok && waited.summary.still_running,
      targets.ok && targets.summary.targets.map(({ target_alias }) => target_alias),
      // @ts-expect-error The summary of this request may be of any kind.
      any.ok && any.summary.targets,
    ];
  }
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

  await mkdir(join(folder, 'node_modules', '@holdword'), { recursive: true });
  await symlink(
    join(folder, 'plugin'),
    join(folder, 'node_modules', '@holdword', 'openclaw-a2a-outbound'),
    'dir',
  );
  await writeFile(join(folder, 'typed.mts'), TYPED_PROGRAM);
  for (const module of ['preserve', 'nodenext']) {
    const options = ['--noEmit', '--strict', '--module', module, '--types', ''];
    const compiled = promisify(execFile)(node, [compiler, ...options, 'typed.mts'], { cwd: folder });
    expect(
      await compiled.catch(({ stdout: issues }: { stdout: string }) => ({ stdout: issues })),
      module,
    ).toMatchObject({ stdout: '' });
  }

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
