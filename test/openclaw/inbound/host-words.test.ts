import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DRAINING_ERROR,
  HOST_TOOLS,
  NOTICES,
  RECOVERY_TEXT,
  TOOL_ALIASES,
} from '@holdword/openclaw-a2a-inbound/testing';
import { expect, test } from 'vitest';

const HOST = join(import.meta.dirname, '..', 'node_modules', 'openclaw', 'dist');

/** Conditions that the host expresses only in words: a version that words them differently is noticed here. */
const WORDS = [...NOTICES.map(({ prefix }) => prefix), `"${DRAINING_ERROR}"`, RECOVERY_TEXT];

test('the installed OpenClaw has the tools by which misspelt ones are recognized', async () => {
  const catalogs = (await readdir(HOST)).filter((name) =>
    /^tool-(catalog|policy-shared)-.*\.mjs$/.test(name),
  );
  const code = (await Promise.all(catalogs.map((name) => readFile(join(HOST, name), 'utf8')))).join('\n');
  expect([...HOST_TOOLS, ...TOOL_ALIASES].filter((tool) => !code.includes(`"${tool}"`))).toEqual([]);
});

test('the installed OpenClaw still uses the words by which its conditions are recognized', async () => {
  const missing = new Set(WORDS);
  const files = (await readdir(HOST)).filter((name) => name.endsWith('.mjs'));
  expect(files).not.toEqual([]);
  for (const name of files) {
    const code = await readFile(join(HOST, name), 'utf8');
    for (const word of missing) if (code.includes(word)) missing.delete(word);
    if (missing.size === 0) return;
  }
  expect([...missing]).toEqual([]);
});
