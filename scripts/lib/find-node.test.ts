import { expect, test } from 'vitest';

// By its URL: the scripts are plain JavaScript, for the Node of any machine, and have no types.
const { isUsable }: { isUsable: (version: string) => boolean } = await import(
  new URL('find-node.mjs', import.meta.url).href
);

test.each([
  ['20.19.0', false],
  ['22.17.1', false],
  ['22.18.0', true],
  ['24.0.0', true],
  ['26.1.0', true],
])('Node %s', (version, usable) => {
  expect(isUsable(version)).toBe(usable);
});
