import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadAgentModule } from './load-agent-module.ts';

async function moduleWith(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-agent-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'agent.mjs');
  await writeFile(file, source);
  return file;
}

test('the default export of a module is the agent', async () => {
  const agent = await loadAgentModule(
    await moduleWith('export default { card: { name: "Ada" }, async execute() {} }'),
  );
  expect(agent.card?.name).toBe('Ada');
});

test.each([
  [
    'no default export',
    'export const agent = 1',
    'agent.mjs has no default export. End it with: export default',
  ],
  [
    'no execute',
    'export default { run() {} }',
    'is an object without it, expected an object with the method execute',
  ],
  ['a function', 'export default () => {}', 'is a function, expected an object with the method execute'],
  ['an error', 'throw new Error("no key")', 'could not be loaded: no key'],
])('a module with %s is refused', async (_case, source, message) => {
  await expect(loadAgentModule(await moduleWith(source))).rejects.toThrow(message);
});

test('a path that leads nowhere, or to a folder, is named', async () => {
  await expect(loadAgentModule('/nowhere/agent.ts')).rejects.toThrow('/nowhere/agent.ts does not exist');
  await expect(loadAgentModule(tmpdir())).rejects.toThrow('is a folder');
});
