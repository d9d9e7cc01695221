import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeHoldwordFolder } from '../../../packages/cli/src/testing/holdword-folder.ts';
import { HAS_TERMINALS, startInTerminal } from '../../support/terminal/start-in-terminal.ts';

describe.skipIf(!HAS_TERMINALS)('init in a terminal', () => {
  test('asks three questions, and again if an answer cannot be used', { timeout: 120_000 }, async () => {
    const { path } = await makeHoldwordFolder();
    const init = startInTerminal(['init'], { cwd: path });
    await init.shows(/Which agent\?.*\[module\]$/m);
    init.type('dmo\r');
    await init.shows(/there is no agent "dmo"\. Did you mean "demo"\?/);
    init.type('demo\r');
    await init.shows(/Who may call it\?.*\[local\]$/m);
    init.type('keys\r');
    await init.shows(/How is it started\?.*\[none\]$/m);
    init.type('\r');
    await init.shows(/holdword keys add NAME\n {2}holdword serve/);
    expect(await init.ended).toBe(0);
    expect(JSON.parse(await readFile(join(path, 'holdword.config.json'), 'utf8'))).toEqual({
      agent: 'demo',
      host: '0.0.0.0',
      authentication: { apiKeys: true },
    });
  });

  test('options answer questions beforehand', { timeout: 120_000 }, async () => {
    const { path } = await makeHoldwordFolder();
    const init = startInTerminal(['init', '--agent', 'demo', '--access', 'local'], { cwd: path });
    await init.shows(/How is it started\?.*\[none\]$/m);
    expect(init.text()).not.toContain('Which agent?');
    init.type('compose\r');
    await init.shows(/Wrote compose\.yaml/);
    expect(await init.ended).toBe(0);
  });
});
