import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { usePostgres } from '@holdword/store/testing/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { urlOf } from '../testing/talk.ts';

const postgres = usePostgres();
const BACKENDS: Record<string, () => Record<string, string>> = {
  sqlite: () => ({}),
  postgres: () => ({ HOLDWORD_STORE: postgres().url, HOLDWORD_STORE_SCHEMA: postgres().newSchema() }),
};

/** A receiver whose answer a test can change. */
async function startReceiver() {
  const receiver = { status: 410, requests: 0, url: '' };
  const server = createServer((request, response) => {
    request.resume();
    receiver.requests += 1;
    response.writeHead(receiver.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

function sendWithPush(url: string, target: string) {
  return fetch(`${url}/a2a/rest/message:send`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      message: { role: 'ROLE_USER', messageId: 'm1', parts: [{ text: 'echo hello' }] },
      configuration: {
        taskPushNotificationConfig: { id: 'mine', url: `${target}?key=hidden`, token: 'hidden' },
      },
    }),
  });
}

test.each(Object.entries(BACKENDS))(
  'on %s a dead target is shown, and retried while the server is running',
  { timeout: 120_000 },
  async (_, environment) => {
    const receiver = await startReceiver();
    const folder = await makeHoldwordFolder(environment());
    const config = { push: { allowPrivate: ['127.0.0.1'] } };
    await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
    const url = await urlOf(folder.serve());
    expect((await sendWithPush(url, receiver.url)).status).toBe(200);

    await expect
      .poll(async () => (await folder.run('push', 'status')).output)
      .toMatch(/mine +http:\S+\/hook +dead +0 +1 +answered 410/);
    expect((await folder.run('push', 'status')).output).not.toContain('hidden');

    const { targets } = JSON.parse(
      (await folder.run('push', 'status', '--json')).output.replace(/^Retry.*$/m, ''),
    ) as {
      targets: unknown[];
    };
    expect(targets).toEqual([
      expect.objectContaining({
        failures: 1,
        deadSince: expect.stringMatching(/^\d{4}-\S+T\S+Z$/) as string,
      }),
    ]);

    receiver.status = 204;
    const replayed = await folder.run('push', 'replay', 'all');
    expect(replayed.output).toMatch(/mine {2}resuming at event 1/);
    await expect
      .poll(async () => (await folder.run('push', 'status', '--state', 'all')).output)
      .toMatch(
        /mine +http:\S+\/hook +finished +\d+ +0\n[^]*Targets: 0 active, 0 failing, 0 dead, 1 finished\./,
      );
    const arrived = receiver.requests;
    const [, taskId = ''] = /^([\da-f-]{36})/m.exec(replayed.output) ?? [];

    const unknown = await folder.run('push', 'replay', 'nosuchtask');
    expect(unknown.output).toContain('Task nosuchtask has no push targets.');
    expect(unknown.code).toBe(1);
    const other = await folder.run('push', 'replay', taskId, '--target', 'yours');
    expect(other.output).toContain(`Task ${taskId} has no push target "yours".`);

    await folder.run('push', 'replay', taskId, '--target', 'mine', '--from', '2');
    await expect.poll(() => receiver.requests).toBeGreaterThan(arrived);
    expect((await folder.run('push', 'replay', taskId, '--from', '99')).output).toContain(
      'The task has no event 99 yet, so nothing is sent again.',
    );
    expect((await folder.run('push', 'replay', 'all')).output).toContain('There is nothing to retry.');
  },
);

test.each([
  [['push', 'status', '--state', 'odd'], '--state: expected active, failing, dead, finished or all'],
  [['push', 'replay', 'x', '--from', '0'], '--from: expected an event number of at least 1'],
  [['push', 'replay', 'all', '--from', '1'], '--from needs a single task'],
  [['push', 'replay'], 'Missing argument TASK|all. Usage: holdword push replay'],
])('%j is rejected with what was expected', async (words, expected) => {
  const folder = await makeHoldwordFolder();
  const { code, output } = await folder.run(...words);
  expect(output).toContain(expected);
  expect(code).toBe(2);
});
