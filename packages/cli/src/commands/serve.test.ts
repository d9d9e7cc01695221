import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AgentCard } from '@holdword/protocol';
import { usePostgres } from '@holdword/store/testing/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { startHoldword } from '../testing/start-holdword.ts';
import { getTask, send, taskOf, urlOf } from '../testing/talk.ts';

const postgres = usePostgres();

test('prints its addresses, and the printed curl line works', async () => {
  const folder = await makeHoldwordFolder();
  const holdword = startHoldword(['serve', '--port', '0'], { cwd: folder.path });
  const [curl] = await holdword.printed(/curl -s .*/);
  expect(holdword.output()).toMatch(/^Holdword demo agent is ready\.\n/);
  expect(holdword.output()).toMatch(/gRPC +127\.0\.0\.1:\d+\n/);
  expect(holdword.output()).toContain(`${join(folder.path, '.holdword')} (sqlite)`);
  const { stdout } = await promisify(execFile)('sh', ['-c', curl]);
  expect(JSON.parse(stdout).result.task.status.state).toBe('TASK_STATE_COMPLETED');
  holdword.signal('SIGTERM');
  expect(await holdword.ended).toBe(0);
});

test('exits on a signal even if the agent keeps a timer', async () => {
  const folder = await makeHoldwordFolder();
  const agent = 'setInterval(() => {}, 1_000); export default { execute: async () => {} };';
  await writeFile(join(folder.path, 'agent.mjs'), agent);
  const holdword = folder.serve('--agent', './agent.mjs');
  await urlOf(holdword);
  holdword.signal('SIGTERM');
  expect(await holdword.ended).toBe(0);
});

test('tasks survive a restart', async () => {
  const folder = await makeHoldwordFolder();
  const first = folder.serve();
  const task = await taskOf(await send(await urlOf(first), 'echo hello'));
  first.signal('SIGINT');
  expect(await first.ended).toBe(0);

  expect(await getTask(await urlOf(folder.serve()), task.id)).toEqual(task);
});

test('a running turn gets the grace period, then is journaled as interrupted', async () => {
  const folder = await makeHoldwordFolder();
  const holdword = folder.serve('--grace', '1s');
  const url = await urlOf(holdword);
  const task = await taskOf(await send(url, 'wait 3600', { immediately: true }));
  holdword.signal('SIGINT');
  await holdword.printed(/Stopping, waiting up to 1 s for 1 running turn\./);
  expect(await holdword.ended).toBe(0);

  const found = await getTask(await urlOf(folder.serve()), task.id);
  expect(found.status.state).toBe('TASK_STATE_FAILED');
  // Under the same id, a client that asks for idempotency would get this task again.
  expect(found.status.message?.parts[0]?.text).toContain('Send the message again with a new message ID.');
});

test('an echo of the first signal is ignored, a second signal exits at once', async () => {
  const folder = await makeHoldwordFolder();
  const holdword = folder.serve('--grace', '3600');
  await send(await urlOf(holdword), 'wait 3600', { immediately: true });
  holdword.signal('SIGINT');
  await holdword.printed(/Stopping/);
  holdword.signal('SIGTERM');
  const repeat = setInterval(() => holdword.signal('SIGINT'), 100);
  onTestFinished(() => clearInterval(repeat));
  expect(await holdword.ended).toBe(130);
});

test('prints the public addresses of a proxy', async () => {
  const folder = await makeHoldwordFolder();
  const url = ['--public-url', 'https://agent.example.org/demo'];
  const grpc = ['--public-grpc-address', 'agent.example.org:443'];
  const holdword = folder.serve('--grpc-port', '0', ...url, ...grpc);
  await holdword.printed(/Press Ctrl-C to stop/);
  expect(holdword.output()).toMatch(/card +https:\/\/agent\.example\.org\/demo\/\.well-known/);
  expect(holdword.output()).toMatch(/gRPC +agent\.example\.org:443\n/);
});

test('a port in use is reported with what to do', async () => {
  const folder = await makeHoldwordFolder();
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const { code, output } = await folder.run('serve', '--port', String(port));
  expect(output).toContain(`port ${port}`);
  expect(output).toContain('the port is already in use');
  expect(output).not.toContain('    at ');
  expect(code).toBe(1);
});

test('a second server on the same data is rejected', async () => {
  const folder = await makeHoldwordFolder();
  await urlOf(folder.serve());
  const { code, output } = await folder.run('serve', '--port', '0');
  expect(output).toContain('--data');
  expect(code).toBe(1);
});

test('a network address needs authentication', { timeout: 60_000 }, async () => {
  const folder = await makeHoldwordFolder();
  const open = ['--host', '0.0.0.0', '--data', 'my data'];
  const { code, output } = await folder.run('serve', '--port', '0', ...open);
  const [, folderInAdvice = ''] = /restart: holdword keys add NAME --data '(.*)'$/m.exec(output) ?? [];
  expect(code).toBe(1);
  await folder.run('keys', 'add', 'NAME', '--data', folderInAdvice);
  const holdword = folder.serve(...open);
  await holdword.printed(/Press Ctrl-C to stop/);
  const address = `The agent card names http://${hostname()}:`;
  expect(holdword.output()).toContain(address);
  expect(holdword.output()).toContain('set it with --public-url or HOLDWORD_PUBLIC_URL.');
  await holdword.stop();
  const named = folder.serve(...open, '--public-url', 'http://127.0.0.1:4310');
  await named.printed(/Press Ctrl-C to stop/);
  expect(named.output()).not.toContain('The agent card names');
});

test('the configuration file is used', async () => {
  const folder = await makeHoldwordFolder();
  await writeFile(
    join(folder.path, 'holdword.config.json'),
    '{ "card": { "name": "Ada" }, "store": "memory", "limits": { "bodyBytes": 1024 } }',
  );
  const holdword = folder.serve();
  const url = await urlOf(holdword);
  expect(holdword.output()).toMatch(/^Ada is ready\./);
  expect((await send(url, 'x'.repeat(2000))).status).toBe(413);
});

test(
  'a second server on the same database warns if it uses the same data folder',
  { timeout: 60_000 },
  async () => {
    const folder = await makeHoldwordFolder({
      HOLDWORD_STORE: postgres().url,
      HOLDWORD_STORE_SCHEMA: postgres().newSchema(),
    });
    const first = folder.serve();
    await urlOf(first);
    expect(first.output()).not.toContain('same data folder');
    const second = folder.serve();
    await second.printed(/Another server uses the same data folder\. Give each server its own with --data\./);
    await urlOf(second);
  },
);

test('an extended card is for callers who have authenticated', async () => {
  const folder = await makeHoldwordFolder();
  const extended = {
    description: 'Counts money.',
    skills: [{ id: 'vault', name: 'Vault', description: 'Opens the vault.', tags: ['inside'] }],
  };
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify({ card: { extended } }));
  const added = startHoldword(['keys', 'add', 'me'], { cwd: folder.path });
  const [key] = await added.printed(/^holdword_\S+/);
  expect(await added.ended).toBe(0);
  const url = await urlOf(folder.serve());
  const read = async (headers: Record<string, string>) => {
    const response = await fetch(`${url}/a2a/rest/extendedAgentCard`, {
      headers: { 'A2A-Version': '1.0', ...headers },
    });
    return { status: response.status, body: (await response.json()) as AgentCard };
  };
  expect(await read({})).toMatchObject({ status: 401 });
  const { body } = await read({ Authorization: `Bearer ${key}` });
  expect(body).toMatchObject({ description: 'Counts money.', capabilities: { extendedAgentCard: true } });
  expect(body.skills).toContainEqual({ ...extended.skills[0], examples: [] });
  const card = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as AgentCard;
  expect(card.capabilities.extendedAgentCard).toBe(true);
  expect(JSON.stringify(card)).not.toContain('vault');
});
