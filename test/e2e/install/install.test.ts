import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { HoldwordProcess } from '@holdword/cli/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { InstalledProject } from './installed-project.ts';
import { nodeVersion } from './node-version.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');

// Imported by URL: the scripts are plain JavaScript and have no types.
const { OLDEST_SUPPORTED }: { OLDEST_SUPPORTED: string[] } = await import(
  new URL('../../../scripts/lib/supported-node.mjs', import.meta.url).href
);
const NEWEST = '26';
/** The newest of older lines differ little from the oldest: these are for those who have the time. */
const NEWEST_OF_LINES = process.env['CI'] === undefined ? [] : ['22', '24'];

let project: InstalledProject;
// The packages are built, and what they depend on comes from the network where npm's cache does not have it.
beforeAll(async () => {
  project = await InstalledProject.create();
}, 600_000);
afterAll(() => project?.remove());

/** Starts a server of its own data and returns its address. */
async function serve(node: string, words: string[] = [], nodeArguments: string[] = []): Promise<Served> {
  const data = join(project.folder, 'data', crypto.randomUUID());
  const flags = ['--port', '0', '--grpc-port', 'off', '--data', data];
  const holdword = project.holdword(node, ['serve', ...flags, ...words], nodeArguments);
  onTestFinished(() => holdword.kill());
  await holdword.printed(/Ctrl-C/);
  const [url = ''] = await holdword.printed(/http:\/\/127\.0\.0\.1:\d+/);
  return { holdword, url };
}

interface Served {
  readonly holdword: HoldwordProcess;
  readonly url: string;
}

describe.each([...OLDEST_SUPPORTED, ...NEWEST_OF_LINES, NEWEST])('installed, on Node %s', (version) => {
  let node: string;
  beforeAll(async () => {
    node = await nodeVersion(version);
  }, 300_000);

  test('holdword serves, answers a client and stops', async () => {
    const { holdword, url } = await serve(node);
    expect(await project.run(node, 'ask.js', url, 'echo hello')).toBe('completed: hello\n');
    expect(await holdword.stop()).toBe(0);
  });

  test.each(['picky-agent.ts', 'picky-agent.js'])('%s imports the runtime and is served', async (agent) => {
    const { holdword, url } = await serve(node, ['--agent', `./${agent}`]);
    expect(await project.run(node, 'ask.js', url, 'some tea')).toBe('failed: Say please.\n');
    expect(await project.run(node, 'ask.js', url, 'some tea, please')).toBe('completed: Here you are.\n');
    expect(await holdword.stop()).toBe(0);
  });

  test('npm has put the command where npx and scripts find it', async () => {
    const path = [join(project.folder, 'node_modules', '.bin'), dirname(node)].join(delimiter);
    const { stdout } = await execute('holdword', ['--version'], { env: { PATH: path } });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
  });
});

test('on a Node that is too old, holdword says so in one sentence', { timeout: 300_000 }, async () => {
  const holdword = project.holdword(await nodeVersion('20'), ['serve']);
  expect(await holdword.ended).toBe(1);
  expect(holdword.output()).toMatch(/^Holdword needs Node 22\.18 .*; this is Node 20\.\d+\.\d+\. .*\n$/);
});

test('spans reach the OpenTelemetry SDK of the program', async () => {
  const { holdword, url } = await serve(process.execPath, [], ['--import', './print-spans.js']);
  await project.run(process.execPath, 'ask.js', url, 'echo hello');
  await holdword.printed(/^span: turn$/m);
  expect(await copiesOf('@opentelemetry/api')).toEqual(['node_modules/@opentelemetry/api']);
});

test('schemas are of the zod of the program', async () => {
  expect(await copiesOf('zod')).toEqual(['node_modules/zod']);
});

/** The folders in which npm has installed a package. */
async function copiesOf(name: string): Promise<string[]> {
  const lock = await readFile(join(project.folder, 'node_modules', '.package-lock.json'), 'utf8');
  const { packages }: { packages: Record<string, object> } = JSON.parse(lock);
  return Object.keys(packages).filter((folder) => folder.endsWith(`node_modules/${name}`));
}

test('the types are complete, and strict', async () => {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--types', 'node'];
  const target = ['--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024'];
  const found = await project
    .run(process.execPath, tsc, '--ignoreConfig', ...options, ...target, 'types.ts', 'picky-agent.ts')
    .catch((error: { stdout: string }) => error.stdout);
  expect(found).toBe('');
});

test('the plugins load, with everything they need but OpenClaw', async () => {
  await writeOpenClawStub();
  // OpenClaw decides which Node its plugins run on.
  expect(await project.run(await nodeVersion(NEWEST), 'import-plugins.js')).toBe(
    'openclaw-a2a-inbound\nopenclaw-a2a-outbound\n',
  );
});

/** Stands for OpenClaw, half a gigabyte of it: modules with the names that the plugins import. */
async function writeOpenClawStub(): Promise<void> {
  const plugins = join(project.folder, 'node_modules', '@holdword');
  const stub = join(project.folder, 'node_modules', 'openclaw');
  for (const plugin of ['openclaw-a2a-inbound', 'openclaw-a2a-outbound']) {
    const files = (await readdir(join(plugins, plugin))).filter((file) => file.endsWith('.js'));
    for (const file of files) {
      const code = await readFile(join(plugins, plugin, file), 'utf8');
      for (const [, names = '', path = ''] of code.matchAll(/^import \{ (.*) \} from "openclaw\/(.*)";$/gm)) {
        const module = join(stub, `${path}.js`);
        await mkdir(dirname(module), { recursive: true });
        const functions = names.split(', ').map((name) => `export const ${name} = (value) => value;\n`);
        await writeFile(module, functions.join(''));
      }
    }
  }
  await writeFile(
    join(stub, 'package.json'),
    JSON.stringify({ name: 'openclaw', type: 'module', exports: { './*': './*.js' } }),
  );
}

test('the schema of the configuration is where $schema looks for it', async () => {
  const schema = join(project.folder, 'node_modules', '@holdword', 'cli', 'holdword.config.schema.json');
  expect(
    createRequire(join(project.folder, 'x.js')).resolve('@holdword/cli/holdword.config.schema.json'),
  ).toBe(schema);
  const { properties }: { properties: object } = JSON.parse(await readFile(schema, 'utf8'));
  expect(Object.keys(properties)).toContain('$schema');
});

test('stack traces lead to sources that are installed', async () => {
  const program = `
    import { A2AAgents } from '@holdword/client';
    try { new A2AAgents({ agent: 1 }); } catch (error) { console.log(error.stack); }`;
  await writeFile(join(project.folder, 'fail.js'), program);
  const stack = await project.run(process.execPath, '--enable-source-maps', 'fail.js');
  const [, file = ''] = /\((\/.*@holdword\/client\/src\/.*\.ts):\d+:\d+\)/.exec(stack) ?? [];
  expect(file, stack).not.toBe('');
  expect(existsSync(file)).toBe(true);
});
