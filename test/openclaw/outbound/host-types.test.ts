import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const workspace = join(import.meta.dirname, '..', '..', '..');
const cache = join(import.meta.dirname, '..', 'node_modules', '.cache');

/** The second function has an intended error, which exists only if the host's declarations are found. */
const PROGRAM = `
import type { OpenClawPluginApi } from 'openclaw/plugin-sdk/plugin-entry';
import plugin from '@holdword/openclaw-a2a-outbound';
import type { PluginApi } from '@holdword/openclaw-a2a-outbound/internal';
export function register(api: OpenClawPluginApi): PluginApi {
  plugin.register(api);
  return api;
}
export function isFound(api: OpenClawPluginApi): number {
  // @ts-expect-error
  return api;
}
`;

const PROJECT = {
  extends: join(workspace, 'tsconfig.json'),
  compilerOptions: { typeRoots: [join(workspace, 'node_modules', '@types')] },
  include: ['program.ts'],
};

test('the plugin’s declarations match those of the host', async () => {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'types-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(PROJECT));
  const tsc = join(workspace, 'node_modules', 'typescript', 'bin', 'tsc');
  const check = promisify(execFile)(process.execPath, [tsc, '-p', folder]);
  const found = await check.catch(({ stdout }: { stdout: string }) => ({ stdout }));
  expect(found.stdout).toBe('');
});
