import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { loadAgentModule } from './load-agent-module.ts';

async function moduleWith(source: string, name = 'agent.mjs'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-agent-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, name);
  await writeFile(file, source);
  return file;
}

test('the default export of a module is the agent', async () => {
  const agent = await loadAgentModule(
    await moduleWith('export default { card: { name: "Ada", description: "Counts." }, async execute() {} }'),
  );
  expect(agent.card?.name).toBe('Ada');
});

test.each([
  ['no default export', 'export const agent = 1', 'agent.mjs has no default export. Add: export default'],
  [
    'no execute',
    'export default { run() {} }',
    'is an object without execute. Export an object with a method execute',
  ],
  ['a function', 'export default () => {}', 'is a function. Export an object with a method execute'],
  ['an error', 'throw new Error("no key")', /could not be loaded: \/.*agent\.mjs:1: no key$/],
])('a module with %s is rejected', async (_case, source, message) => {
  await expect(loadAgentModule(await moduleWith(source))).rejects.toThrow(message);
});

test('a path that does not exist or is a folder is named', async () => {
  await expect(loadAgentModule('/nowhere/agent.ts')).rejects.toThrow('/nowhere/agent.ts does not exist');
  await expect(loadAgentModule(tmpdir())).rejects.toThrow('is a folder');
});

test.each([
  [
    '{ name: 5, description: "x", skills: "x" }',
    'Invalid agent card in agent.mjs: name: expected a string, found 5; skills: expected an array, found "x".',
  ],
  ['{ name: "Ada" }', 'description: expected a string, found nothing'],
  [
    '{ nam: "Ada", description: "x" }',
    'name: expected a string, found nothing. Did you mean "name" instead of "nam"?',
  ],
  [
    '{ name: "A", description: "x", skills: [{ id: "s" }] }',
    'skills[0].name: expected a string, found nothing',
  ],
  ['"Ada"', 'Invalid agent card in agent.mjs: expected an object, found "Ada"'],
])('the card %s is rejected', async (card, message) => {
  const file = await moduleWith(`export default { card: ${card}, async execute() {} }`);
  await expect(loadAgentModule(file)).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringContaining(message),
  });
});

test('a module that never finishes loading is named', async () => {
  const file = await moduleWith('await new Promise(() => {}); export default { async execute() {} }');
  await expect(loadAgentModule(file, 50)).rejects.toThrow(
    /agent\.mjs did not load within 0\.05 s: a top-level await/,
  );
});

test.each([
  ['agent.mjs', 'export default {\n  execute( {\n};\n', 3],
  ['agent.ts', 'const name: string = 1;\nenum Kind { One }\nexport default {};\n', 2],
  ['agent.js', 'import { nothing } from "node:path";\n', 1],
])('a syntax error in %s is reported with its line', async (name, source, line) => {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, name), source);
  const { code, output } = await folder.run('serve', '--agent', `./${name}`);
  expect(output).toContain(`could not be loaded: ${join(folder.path, name)}:${line}: `);
  expect(output).not.toContain('    at ');
  expect(code).toBe(1);
});

test.each(['agent.js', 'agent.ts'])('%s in a CommonJS package says what to change', async (name) => {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'package.json'), '{ "type": "commonjs" }');
  await writeFile(join(folder.path, name), 'export default { async execute() {} };\n');
  const { code, output } = await folder.run('serve', '--agent', `./${name}`);
  expect(output).toBe(
    `holdword: The agent module ${join(folder.path, name)} could not be loaded: it is an ES module, but is loaded as ` +
      `CommonJS because ${join(folder.path, 'package.json')} has "type": "commonjs". Run "npm pkg set type=module" ` +
      `there, or rename the file to end in ${name.replace('agent.', '.m')}.\n`,
  );
  expect(code).toBe(1);
});

test('a CommonJS module in a CommonJS package is loaded', async () => {
  const manifest = await moduleWith('{ "type": "commonjs" }', 'package.json');
  const agent = join(dirname(manifest), 'agent.js');
  await writeFile(
    agent,
    'const text = `\nexport default 1`;\nmodule.exports = { card: { name: text, description: "x" }, execute() {} };',
  );
  expect((await loadAgentModule(agent)).card?.name).toContain('export default');
});

test('a type that is imported like a value is explained', async () => {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'types.ts'), 'export interface Executor {}\n');
  await writeFile(
    join(folder.path, 'agent.ts'),
    "import { Executor } from './types.ts';\nexport default { async execute() {} } as Executor;\n",
  );
  const { output } = await folder.run('serve', '--agent', './agent.ts');
  expect(output).toContain("agent.ts:1: The requested module './types.ts' does not provide an export named");
  expect(output).toContain('If Executor is a type, write: import type { Executor }\n');
});

test('an error that is thrown while loading is reported with its line', async () => {
  const folder = await makeHoldwordFolder();
  await writeFile(
    join(folder.path, 'key.ts'),
    'export function key(): string {\n  throw new Error("no key");\n}\n',
  );
  await writeFile(
    join(folder.path, 'agent.ts'),
    "import { key } from './key.ts';\nkey();\nexport default {};\n",
  );
  const { output } = await folder.run('serve', '--agent', './agent.ts');
  expect(output).toContain(`could not be loaded: ${join(folder.path, 'key.ts')}:2: no key\n`);
  expect(output).not.toContain('    at ');
});
