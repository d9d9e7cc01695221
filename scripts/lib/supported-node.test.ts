import { expect, test } from 'vitest';
import { unsupportedNode } from '../../packages/cli/src/supported-node.ts';

// Imported by URL: the scripts are plain JavaScript, for any Node a machine may have, and have no types.
const {
  describeSupportedNode,
  isSupportedNode,
  SUPPORTED_NODE,
}: {
  describeSupportedNode: () => string;
  isSupportedNode: (version: string) => boolean;
  SUPPORTED_NODE: string;
} = await import(new URL('supported-node.mjs', import.meta.url).href);

test('the range is written as package.json writes it', () => {
  expect(SUPPORTED_NODE).toBe('^22.18.0 || >=24.0.0');
});

test.each([
  ['20.19.0', false],
  ['22.17.1', false],
  ['22.18.0', true],
  ['22.18.1', true],
  ['22.22.0', true],
  ['23.11.0', false],
  ['24.0.0', true],
  ['24.21.0', true],
  ['25.0.0', true],
  ['26.1.0', true],
])('Node %s', (version, supported) => {
  expect(isSupportedNode(version)).toBe(supported);
  // The command line decides by `engines` of its package.
  expect(unsupportedNode(version) === undefined).toBe(supported);
});

test('is described as the command line describes it', () => {
  expect(unsupportedNode('20.0.0')).toContain(
    `Holdword needs ${describeSupportedNode()}; this is Node 20.0.0.`,
  );
});
