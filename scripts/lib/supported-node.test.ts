import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { SUPPORTED_NODE as CHECKED, unsupportedNode } from '../../packages/net/src/supported-node.ts';

// Imported by URL: the scripts are plain JavaScript, for any Node a machine may have, and have no types.
const {
  OLDEST_FOR_SOURCES,
  OLDEST_SUPPORTED,
  runsSources,
  SUPPORTED_NODE,
}: {
  OLDEST_FOR_SOURCES: string;
  OLDEST_SUPPORTED: readonly string[];
  runsSources: (version: string) => boolean;
  SUPPORTED_NODE: string;
} = await import(new URL('supported-node.mjs', import.meta.url).href);

test('the range is written as package.json writes it', () => {
  expect(SUPPORTED_NODE).toBe('^22.18.0 || >=24.0.0');
  expect(CHECKED).toBe(SUPPORTED_NODE);
});

test.each([
  ['20.19.0', false],
  ['22.17.1', false],
  ['22.18.0', true],
  ['22.22.0', true],
  ['23.11.0', false],
  ['24.0.0', true],
  ['25.0.0', true],
  ['26.1.0', true],
])('the command line runs on Node %s: %s', (version, expected) => {
  expect(unsupportedNode(version) === undefined).toBe(expected);
});

test.each([
  ['20.19.0', false],
  ['22.18.0', false],
  ['24.0.0', true],
  ['24.21.0', true],
  ['26.1.0', true],
])('Node %s runs the sources: %s', (version, expected) => {
  expect(runsSources(version)).toBe(expected);
});

test('the tests run on the oldest Node that runs the sources, and on the newest of each line', async () => {
  const workflow = await readFile(new URL('../../.github/workflows/test.yml', import.meta.url), 'utf8');
  const { node } = parse(workflow).jobs.test.strategy.matrix;
  expect(node).toEqual([OLDEST_FOR_SOURCES, '24', '26']);
  expect(OLDEST_SUPPORTED).toContain(OLDEST_FOR_SOURCES);
});
