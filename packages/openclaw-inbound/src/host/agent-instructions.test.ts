import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addInstructions } from './agent-instructions.ts';

const OURS = 'agent:main:a2a:default:direct:peer-1:talk';

/** The files of a prompt after the hook, in a workspace with the given instructions. */
async function filesAfter(
  context: Record<string, unknown>,
  { sessionKey = OURS, instructions }: { sessionKey?: string; instructions?: string } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-instructions-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  if (instructions !== undefined) await writeFile(join(folder, 'AGENTS.md'), instructions);
  await writeFile(join(folder, 'MEMORY.md'), 'private');
  const given: Record<string, unknown> = { workspaceDir: folder, ...context };
  await addInstructions({ sessionKey, context: given });
  return { files: given['bootstrapFiles'], path: join(folder, 'AGENTS.md') };
}

test('a prompt without files gets the instructions in the workspace and nothing else', async () => {
  const { files, path } = await filesAfter({ bootstrapFiles: [] }, { instructions: 'Be kind.' });
  expect(files).toEqual([{ name: 'AGENTS.md', path, content: 'Be kind.', missing: false }]);
});

test('a workspace without instructions gets no files', async () => {
  expect((await filesAfter({ bootstrapFiles: [] })).files).toEqual([]);
});

test.each([
  ['with files', { bootstrapFiles: [{ name: 'AGENTS.md' }] }, OURS],
  ['of another channel', { bootstrapFiles: [] }, 'agent:main:slack:default:direct:a2a'],
  ['of an unknown workspace', { bootstrapFiles: [], workspaceDir: undefined }, OURS],
  ['of an unknown kind', { bootstrapFiles: undefined }, OURS],
])('a prompt %s is not changed', async (_, context, sessionKey) => {
  const { files } = await filesAfter(context, { sessionKey, instructions: 'Be kind.' });
  expect(files).toEqual(context.bootstrapFiles);
});
