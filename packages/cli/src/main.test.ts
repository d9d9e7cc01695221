import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unsupportedNode } from '@holdword/net/internal/supported-node';
import { expect, onTestFinished, test } from 'vitest';

/** The entry of the command with the version check and without its other modules, as JavaScript. */
async function entryAlone(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-entry-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const net = join(folder, 'node_modules', '@holdword', 'net');
  await mkdir(net, { recursive: true });
  const exports = { './internal/supported-node': './supported-node.js' };
  await writeFile(join(net, 'package.json'), JSON.stringify({ type: 'module', exports }));
  const check = join(import.meta.dirname, '..', '..', 'net', 'src', 'supported-node.ts');
  await writeFile(join(net, 'supported-node.js'), stripTypeScriptTypes(await readFile(check, 'utf8')));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const main = stripTypeScriptTypes(await readFile(join(import.meta.dirname, 'main.ts'), 'utf8'));
  await writeFile(join(folder, 'main.js'), main.replaceAll(/(import\('\.[^']+)\.ts'/g, "$1.js'"));
  return folder;
}

test('nothing but the version check is loaded before it passes', async () => {
  const folder = await entryAlone();
  await mkdir(join(folder, 'commands'));
  await writeFile(
    join(folder, 'commands', 'bundled-commands.js'),
    'export function isBundled() { return true; }',
  );
  await writeFile(
    join(folder, 'bundled.js'),
    'export function createTerminal() {}\nexport async function runCli() { console.log("passed"); return 3; }',
  );
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
      stderr: `${unsupportedNode(other)}\n`,
    });
  },
);
