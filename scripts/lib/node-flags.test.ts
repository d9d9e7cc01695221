import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

// Imported by URL: the scripts are plain JavaScript, for any Node a machine may have, and have no types.
const { NODE_FLAGS }: { NODE_FLAGS: readonly string[] } = await import(
  new URL('node-flags.mjs', import.meta.url).href
);
const root = new URL('../../', import.meta.url);

test('the command and the systemd unit run Node with the same flags as `npm start`', async () => {
  const command = await readFile(new URL('packages/cli/src/main.ts', root), 'utf8');
  const unit = await readFile(new URL('deploy/systemd/holdword.service', root), 'utf8');
  expect(command.split('\n')[0]).toBe(`#!/usr/bin/env -S node ${NODE_FLAGS.join(' ')}`);
  expect(unit).toContain(`/bin/node ${NODE_FLAGS.join(' ')} /opt/holdword/packages/cli/src/main.ts serve\n`);
});
