import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SDK = join(import.meta.dirname, '../node_modules/openclaw/dist/plugin-sdk');

const CHECK = `
import type { OpenClawPluginApi } from 'openclaw/plugin-sdk/plugin-entry';
import plugin from '@parley/openclaw-a2a-outbound';
export const register: (api: OpenClawPluginApi) => void = plugin.register;
`;

test('what the outbound plugin thinks of its host is what OpenClaw declares', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const paths = {
    'openclaw/plugin-sdk/*': [join(SDK, '*.d.ts')],
    '@parley/openclaw-a2a-outbound': [join(ROOT, 'packages/openclaw-outbound/src/index.ts')],
  };
  const project = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { paths, typeRoots: [join(ROOT, 'node_modules/@types')] },
    files: ['check.mts'],
    include: [],
  };
  await writeFile(join(folder.path, 'check.mts'), CHECK);
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(project));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const child = spawn(process.execPath, [compiler, '-p', folder.path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(said).toBe('');
  expect(code).toBe(0);
});
