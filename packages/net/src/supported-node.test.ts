import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { unsupportedNode } from './supported-node.ts';

test.each(['22.18.0', '22.18.1', '22.22.0', '24.0.0', '24.21.0', '25.0.0', '26.1.0', '24.0.0-nightly'])(
  'Node %s is supported',
  (version) => {
    expect(unsupportedNode(version)).toBeUndefined();
  },
);

test.each(['18.20.0', '20.20.2', '22.17.1', '23.11.0'])('Node %s is not', (version) => {
  expect(unsupportedNode(version)).toBe(
    `Holdword needs Node 22.18 or a later 22.x, or Node 24 or later; this is Node ${version}. ` +
      'Install a supported version from https://nodejs.org, and start again.',
  );
});

test('the Node that runs the tests is supported', () => {
  expect(unsupportedNode(process.versions.node)).toBeUndefined();
});

const other = spawnSync('node', ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1) ?? '';

test.skipIf(other === '' || unsupportedNode(other) === undefined)(
  'an import on an unsupported Node on this machine throws the sentence',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdword-node-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const name of ['supported-node', 'require-supported-node']) {
      const source = await readFile(join(import.meta.dirname, `${name}.ts`), 'utf8');
      const code = stripTypeScriptTypes(source).replace("supported-node.ts'", "supported-node.mjs'");
      await writeFile(join(folder, `${name}.mjs`), code);
    }
    const run = promisify(execFile)('node', [join(folder, 'require-supported-node.mjs')]);
    await expect(run).rejects.toMatchObject({
      stderr: expect.stringContaining(`Error: ${unsupportedNode(other)}`),
    });
  },
);
