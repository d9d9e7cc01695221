import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openClawVariables } from '@holdword/runtime/internal/openclaw';
import { expect, test } from 'vitest';

const OPENCLAW = join(import.meta.dirname, 'node_modules', 'openclaw');

/** The names in backticks. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name as string);
}

test('the command gets every variable that OpenClaw documents for providers', async () => {
  const page = await readFile(join(OPENCLAW, 'docs', 'help', 'environment.md'), 'utf8');
  const [, section = ''] = page.split('### Provider credentials\n');
  const documented = namesIn(section.split('\n### ')[0] ?? '');
  expect(documented).toContain('ANTHROPIC_API_KEY');
  const passed = openClawVariables();
  expect(documented.filter((name) => !passed.includes(name))).toEqual([]);
  // And no variable that it no longer documents: what is not OpenClaw's stays with the server.
  const others = [
    'OPENCLAW_*',
    'NODE_COMPILE_CACHE',
    'AWS_BEARER_TOKEN_BEDROCK',
    'AWS_REGION',
    'AWS_DEFAULT_REGION',
  ];
  const rotated = documented.flatMap((name) => [`${name}S`, `${name}_*`]);
  expect(passed.filter((name) => ![...documented, ...rotated, ...others].includes(name))).toEqual([]);
});

test('Bedrock reads the variables that it gets', async () => {
  const page = await readFile(join(OPENCLAW, 'docs', 'providers', 'bedrock.md'), 'utf8');
  for (const name of openClawVariables().filter((each) => each.startsWith('AWS_')))
    expect(page).toContain(name);
});

test('the command gets every variable that the plugins of OpenClaw read their keys from', async () => {
  const passed = openClawVariables();
  const missing: string[] = [];
  let plugins = 0;
  for await (const file of glob(join(OPENCLAW, 'dist', 'extensions', '*', 'openclaw.plugin.json'))) {
    const manifest = JSON.parse(await readFile(file, 'utf8')) as {
      setup?: { providers?: { envVars?: string[] }[] };
    };
    const names = (manifest.setup?.providers ?? []).flatMap(({ envVars = [] }) => envVars);
    if (names.length > 0) plugins += 1;
    missing.push(...names.filter((name) => !passed.includes(name)));
  }
  expect(plugins).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
