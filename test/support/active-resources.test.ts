import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { activeResources, leftBehind } from './active-resources.ts';
import { waitUntil } from './wait-until.ts';

const RESOURCES: Record<string, () => Promise<() => unknown>> = {
  TCPServerWrap: async () => {
    const server = createServer().listen(0);
    await once(server, 'listening');
    return () => server.close();
  },
  ProcessWrap: async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    return () => child.kill('SIGKILL');
  },
  Timeout: async () => {
    const timer = setTimeout(() => {}, 60_000);
    return () => clearTimeout(timer);
  },
};

for (const [kind, start] of Object.entries(RESOURCES)) {
  test(`reports a ${kind} until it has ended`, async () => {
    const before = activeResources();
    const end = await start();
    expect(leftBehind(before, activeResources())).toContain(kind);
    await end();
    await waitUntil('its end', () => leftBehind(before, activeResources()).length === 0);
  });
}
