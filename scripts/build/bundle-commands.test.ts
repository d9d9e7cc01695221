import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { HoldwordProcess } from '@holdword/cli/testing';
import { expect, onTestFinished, test } from 'vitest';
import { bundleCommands } from './bundle-commands.ts';

const COMMANDS = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'commands');

/** Runs a command from the bundle alone, and tells which libraries of Node it has loaded. */
const PROGRAM = `
  import { createTerminal, runCli } from './dist/bundled.js';
  const terminal = createTerminal(process.stdout, process.stderr, {}, () => process.stdin);
  const context = { environment: {}, workingFolder: process.cwd(), terminal };
  process.exitCode = await runCli(process.argv.slice(2), context);
  const late = ['NativeModule sqlite', 'NativeModule http2', 'NativeModule internal/deps/undici/undici'];
  process.stderr.write(late.filter((name) => process.moduleLoadList.includes(name)).join());
`;

test('bundled commands run where there is nothing else, and load little', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dist = join(folder, 'dist');
  await mkdir(dist);
  await bundleCommands(dist);
  const manifest = { name: '@holdword/cli', version: '1.2.3', type: 'module' };
  const exports = { './package.json': './package.json' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, exports }));
  await writeFile(join(folder, 'program.js'), PROGRAM);
  const run = async (...words: string[]) =>
    promisify(execFile)(process.execPath, ['program.js', ...words], { cwd: folder });

  const words = ['serve', '--port', '0', '--grpc-port', '0', '--store', 'memory'];
  const server = new HoldwordProcess(words, { cwd: folder });
  onTestFinished(() => server.kill());
  const [, agent = ''] = await server.printed(/card +(http:\S+)\/\.well-known/);
  expect(await run('--version')).toEqual({ stdout: '1.2.3\n', stderr: '' });
  expect(await run('card', 'get', '-a', agent)).toEqual({
    stdout: expect.stringMatching(/^Name: Holdword demo agent\n/),
    stderr: '',
  });
  expect((await run('send', '-a', agent, 'echo hello')).stdout).toContain('hello');
  expect((await run('send', '-a', agent, '--transport', 'grpc', 'echo over gRPC')).stdout).toContain(
    'over gRPC',
  );

  const files = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'));
  for (const file of files) {
    const code = await readFile(join(dist, file), 'utf8');
    for (const [, imported] of code.matchAll(/^import [^"\n]*"([^"\n]+)";$/gm)) {
      expect(imported, file).toMatch(/^(node:|\.)/);
    }
    for (const [, imported = ''] of code.matchAll(/import\("(\.[^"]+)"\)/g)) {
      const path = join(dist, dirname(file), imported);
      const other = dirname(path) === join(dist, 'commands');
      await access(other ? join(COMMANDS, imported.replace(/.*\/(.*)\.js$/, '$1.ts')) : path);
    }
  }
  expect(await readFile(join(dist, 'bundled', 'LICENSES.txt'), 'utf8')).toMatch(/^zod \d.*\nLicense: MIT\n/m);
});
