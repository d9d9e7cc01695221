import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { apiFiles, REFERENCE, REPORTS, type ApiFiles } from './api-files.ts';
import { ROOT } from './entries.ts';
import type { ApiSymbol } from './read-api.ts';

const UPDATE =
  'The public API is not as it was written down. See whether that is meant, then run: npm run write:api';

let written: ApiFiles;

beforeAll(async () => {
  written = await apiFiles();
}, 60_000);

function symbols(): ApiSymbol[] {
  return written.api.entries.flatMap((entry) => entry.symbols);
}

test.each([REPORTS, REFERENCE])('%s is up to date', async (folder) => {
  const wanted = [...written.files].filter(([path]) => path.startsWith(`${folder}/`));
  const names = wanted.map(([path]) => path.slice(folder.length + 1));
  expect((await readdir(join(ROOT, folder))).toSorted(), UPDATE).toEqual(names.toSorted());
  for (const [path, content] of wanted) {
    expect(await readFile(join(ROOT, path), 'utf8'), UPDATE).toBe(content);
  }
});

test('what public declarations mention can be imported', () => {
  expect(written.api.missing).toEqual([]);
});

test('one name means one thing in all packages', () => {
  const named = [...Map.groupBy(symbols(), ({ name }) => name)];
  const ambiguous = named.filter(([, declared]) => new Set(declared.map(({ file }) => file)).size > 1);
  expect(ambiguous.map(([name]) => name)).toEqual([]);
});

test('every public name has a description', () => {
  const bare = symbols().filter(({ comment }) => comment.description === '');
  expect(bare.map(({ page, name }) => `${page}: ${name}`)).toEqual([]);
});

test('every public function and class has an example', () => {
  const started = symbols().filter(({ kind }) => kind === 'function' || kind === 'class');
  const bare = started.filter(({ comment }) => comment.examples.length === 0);
  expect(bare.map(({ page, name }) => `${page}: ${name}`)).toEqual([]);
});

test('every option has a description', () => {
  const options = symbols().filter(
    ({ name, kind }) => kind === 'interface' && /(Options|Settings)$/.test(name),
  );
  const bare = options.flatMap(({ page, name, members }) =>
    members
      // Another spelling of an option that is described.
      .filter((member) => !member.name.includes('_'))
      .filter(({ comment }) => comment.description === '' && comment.default === undefined)
      .map((member) => `${page}: ${name}.${member.name}`),
  );
  expect(bare).toEqual([]);
});

/** Names that programs rely on since before this repository. */
const PROMISED: Readonly<Record<string, readonly string[]>> = {
  '@holdword/client': [
    'A2AAgents',
    'A2ASession',
    'A2ATools',
    'AgentURLAndCustomHeaders',
    'ArtifactForLLM',
    'ArtifactSettings',
    'DataArtifacts',
    'DataPartForLLM',
    'FilePartForLLM',
    'FileStore',
    'InMemoryTaskStore',
    'JSONTaskStore',
    'LocalFileStore',
    'MessageForLLM',
    'minimizeArtifacts',
    'TaskForLLM',
    'TaskStatusForLLM',
    'TaskStore',
    'TextArtifacts',
    'TextPartForLLM',
  ],
  '@holdword/runtime/adapter': ['loadAgent', 'OpenClawAgentAdapter', 'PushNotificationConfig', 'serveAgent'],
};

test.each(Object.entries(PROMISED))('%s keeps the names that it promised', (specifier, names) => {
  const entry = written.api.entries.find((each) => each.specifier === specifier);
  expect(entry?.symbols.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
});

test('every entry says what it is for', () => {
  const bare = written.api.entries.filter(({ introduction }) => introduction === '');
  expect(bare.map(({ specifier }) => specifier)).toEqual([]);
});
