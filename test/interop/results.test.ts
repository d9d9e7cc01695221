import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { PEERS, versionOf } from './peers.ts';
import { PAGE, renderPage } from './results.ts';

test('the page shows the saved results (write it with: npm run test:interop -- --write)', async () => {
  expect(await readFile(PAGE, 'utf8')).toBe(await renderPage());
});

test.each(PEERS.map((peer) => [peer.id, peer] as const))(
  'the saved results of %s are of its pinned version',
  async (_id, peer) => {
    expect(await renderPage()).toContain(`${peer.title} ${await versionOf(peer)}`);
  },
);
