import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { unsupportedNode } from './supported-node.ts';

const RANGE = '^22.18.0 || >=24.0.0';

test.each(['22.18.0', '22.18.1', '22.22.0', '24.0.0', '24.21.0', '25.0.0', '26.1.0', '24.0.0-nightly'])(
  'Node %s is supported',
  (version) => {
    expect(unsupportedNode(version, RANGE)).toBeUndefined();
  },
);

test.each(['18.20.0', '20.20.2', '22.17.1', '23.11.0'])('Node %s is not', (version) => {
  expect(unsupportedNode(version, RANGE)).toBe(
    `Holdword needs Node 22.18 or a later 22.x, or Node 24 or later; this is Node ${version}. ` +
      'Install a supported version from https://nodejs.org and run the command again.',
  );
});

test('the Node that runs the tests is supported', () => {
  expect(unsupportedNode(process.versions.node)).toBeUndefined();
});

/** The entry of the command without its other modules, as JavaScript. */
async function entryAlone(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-entry-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const manifest = { name: '@holdword/cli', type: 'module', exports: { './package.json': './package.json' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, engines: { node: RANGE } }));
  for (const name of ['main', 'supported-node']) {
    const source = await readFile(join(import.meta.dirname, `${name}.ts`), 'utf8');
    const stripped = stripTypeScriptTypes(source).replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'");
    await writeFile(join(folder, `${name}.js`), stripped.replaceAll(/(import\('\.[^']+)\.ts'/g, "$1.js'"));
  }
  return folder;
}

test('nothing but the version check is loaded before it passes', async () => {
  const folder = await entryAlone();
  await writeFile(
    join(folder, 'run-cli.js'),
    'export async function runCli() { console.log("passed"); return 3; }',
  );
  await mkdir(join(folder, 'terminal'));
  await writeFile(join(folder, 'terminal', 'terminal.js'), 'export function createTerminal() {}');
  const run = promisify(execFile)(process.execPath, [join(folder, 'main.js')]);
  await expect(run).rejects.toMatchObject({ code: 3, stdout: 'passed\n' });
});

const other = spawnSync('node', ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1) ?? '';

test.skipIf(other === '' || unsupportedNode(other) === undefined)(
  'an unsupported Node on this machine ends with one sentence and code 1',
  async () => {
    const run = promisify(execFile)('node', [join(await entryAlone(), 'main.js'), 'serve']);
    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${unsupportedNode(other, RANGE)}\n`,
    });
  },
);
