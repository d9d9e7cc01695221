import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { send, taskOf, urlOf } from '../testing/talk.ts';

/** Each command is a process, which takes its time where many of them start. */
const SLOW = { timeout: 60_000 };

test('an agent is added, connects, is called by those who may, and is removed', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const token = (await folder.run('agents', 'add', 'laptop', '--callers', 'ada')).stdout.trim();
  const ada = (await folder.run('keys', 'add', 'ada')).stdout.trim();
  const bob = (await folder.run('keys', 'add', 'bob')).stdout.trim();
  const url = await urlOf(folder.serve('--host-agents'));
  await writeFile(join(folder.path, 'token'), `${token}\n`);
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(join(folder.path, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const words = ['--agent', 'demo', '--token-file', 'token', '--signing-key', 'key.pem'];
  const worker = folder.start('connect', url, ...words);
  const [, keyId] = await worker.printed(/laptop is connected.*key +([\w-]{43})\n/s);
  const agent = `${url}/agents/laptop`;
  expect(await (await fetch(agent)).text()).toContain(`"kid":"${keyId}"`);
  const task = await taskOf(await send(agent, 'echo hello', { key: ada }));
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  expect((await send(agent, 'echo hello', { key: bob })).status).toBe(403);
  expect((await send(agent, 'echo hello')).status).toBe(401);
  expect((await send(agent, 'echo hello', { key: token })).status).toBe(401);

  const listed = await folder.run('agents', 'list');
  expect(listed.stdout).toMatch(/^laptop +\S.* ada +20\d\d-/m);
  expect(listed.output).not.toContain(token);
  expect(await worker.stop()).toBe(0);
  expect((await folder.run('agents', 'remove', 'laptop')).code).toBe(0);
  await expect.poll(async () => (await send(agent, 'echo hello', { key: ada })).status).toBe(404);
  const refused = await folder.run('connect', url, '--agent', 'demo', '--token-file', 'token');
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('Workers need the token of their agent');
});

test.each([
  [['connect', 'https://host.example'], 'A worker needs the token of its agent'],
  [['connect', 'http://host.example', '--token-file', 'token'], 'A worker connects over https'],
  [['connect', 'nowhere', '--token-file', 'token'], 'Expected the URL of a host, found "nowhere"'],
  [['connect', 'https://host.example', '--token-file', 'none'], 'Cannot read the token file none'],
  [
    ['connect', 'https://host.example', '--token-file', 'token', '--slots', '0'],
    '--slots: expected a number',
  ],
  [
    ['connect', 'https://host.example', '--token-file', 'token', '--signing-key', 'token'],
    '--signing-key: token is not a private key',
  ],
  [['agents', 'add', 'My Laptop'], 'An agent name has 1 to 63 lower-case letters'],
  [['agents', 'rotate', 'laptop'], 'There is no data in'],
])('%j is refused', SLOW, async (words, message) => {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'token'), 'holdword-worker_laptop_secret');
  const { code, output } = await folder.run(...words);
  expect(output).toContain(message);
  expect(code).not.toBe(0);
  expect(output).not.toContain('secret');
});
