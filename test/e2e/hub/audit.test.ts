import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { registerAgent } from './hub-agents.ts';
import { startHub, type Json } from './start-hub.ts';

watchForLeaks();

test('rejected hub requests are in the audit log, without secrets or caller input', async () => {
  const data = await temporaryFolder();
  const hub = await startHub({ words: ['--data', data.path] });
  try {
    const { headers } = await registerAgent(hub, 'runner');
    const guessing = { ...headers, 'x-delx-agent-token': 'guessed-token' };
    const mcp = {
      method: 'POST',
      headers: { ...guessing, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'session_status', arguments: {} },
      }),
    };
    await hub.rpc('handoff/list', {}, guessing);
    await hub.rpc('GetTask', { id: 't-1' }, { ...guessing, 'A2A-Version': '1.0' });
    await hub.rpc('open/the/door', {}, headers);
    await hub.post('secret words that are no JSON', headers);
    await hub.get('/api/v1/fleet', guessing);
    await fetch(`${hub.url}/v1/mcp`, mcp);
    // Successful requests are not logged.
    await hub.rpc('methods/list', {}, headers);

    const lines = await waitUntil('six refusals', async () => {
      const text = await readFile(join(data.path, 'audit.jsonl'), 'utf8').catch(() => '');
      const found = text.split('\n').filter((line) => line.includes('"refused"'));
      return found.length >= 6 ? found : undefined;
    });
    const known = { event: 'refused', named: 'runner', peer: '127.0.0.1' };
    expect(lines.map((line) => JSON.parse(line) as Json)).toEqual(
      [
        { operation: 'handoff/list', outcome: 'DELX-A2A-1401' },
        { operation: 'GetTask', outcome: 'DELX-A2A-1401' },
        { outcome: 'DELX-A2A-1002' },
        { outcome: 'DELX-A2A-1000' },
        { operation: 'GET /api/v1/fleet', outcome: 'DELX-A2A-1401' },
        { operation: 'session_status', outcome: 'DELX-A2A-1401' },
      ].map((each) => ({ ...known, ...each, time: expect.any(String) })),
    );
    expect(lines.join('')).not.toMatch(/guessed|door|secret/);
  } finally {
    await hub.stop();
    await data.remove();
  }
});
