import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { loadAgentModule } from './load-agent-module.ts';

async function moduleWith(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-agent-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'agent.mjs');
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
  ['an error', 'throw new Error("no key")', 'could not be loaded: no key'],
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
