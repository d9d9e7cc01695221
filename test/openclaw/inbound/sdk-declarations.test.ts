import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const inRoot = (...path: string[]): string => join(root, ...path);

/**
 * The workspace compiles the plugin against our declarations of the host's SDK. Here the host's real ones replace them:
 * anything we declare that the host does not offer is an error.
 */
test('the plugin compiles against the SDK of the real OpenClaw', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const project = join(folder.path, 'tsconfig.json');
  const sdk = inRoot('test', 'openclaw', 'node_modules', 'openclaw', 'dist', 'plugin-sdk', '*.d.ts');
  await writeFile(
    project,
    JSON.stringify({
      extends: inRoot('tsconfig.json'),
      compilerOptions: {
        paths: { 'openclaw/plugin-sdk/*': [sdk] },
        typeRoots: [inRoot('node_modules', '@types')],
      },
      include: [],
      files: [inRoot('packages', 'openclaw-inbound', 'src', 'index.ts')],
    }),
  );
  const compiler = inRoot('node_modules', 'typescript', 'bin', 'tsc');
  const problems = await promisify(execFile)(process.execPath, [compiler, '-p', project]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  expect(problems).toBe('');
});
