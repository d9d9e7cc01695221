import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHoldwordFolder, type HoldwordFolder } from '../testing/holdword-folder.ts';
import type { HoldwordProcess } from '../testing/holdword-process.ts';
import { startHoldword } from '../testing/start-holdword.ts';
import { send, taskOf, urlOf } from '../testing/talk.ts';

/** Every turn is a line in the log. */
const NOISY = `export default {
  async execute() {
    void Promise.reject(new Error('forgotten'));
    await new Promise((resolve) => setTimeout(resolve, 20));
  },
};`;

async function noisyAgent(): Promise<HoldwordFolder> {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'agent.mjs'), NOISY);
  return folder;
}

/** A server that the shell starts with a stream redirected. */
async function serveWith(redirection: string, port: number): Promise<HoldwordProcess> {
  const folder = await noisyAgent();
  return startHoldword(['serve', '--port', `${port}`, '--grpc-port', 'off', '--agent', './agent.mjs'], {
    cwd: folder.path,
    node: '/bin/sh',
    nodeArguments: ['-c', `exec "$0" "$@" ${redirection}`, process.execPath],
  });
}

/** For a server that cannot say which port it has chosen. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function expectToServe(url: string): Promise<void> {
  for (let call = 0; call < 3; call += 1) {
    expect((await taskOf(await send(url, 'hello'))).status.state).toBe('TASK_STATE_COMPLETED');
  }
}

test('a server whose log cannot be written, as on a full disk, serves, does not spin, and stops on a signal', async () => {
  const holdword = await serveWith('2>/dev/full', 0);
  await expectToServe(await urlOf(holdword));
  const before = holdword.processorSeconds();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(holdword.processorSeconds() - before).toBeLessThan(0.5);
  expect(await holdword.stop()).toBe(0);
});

test('a server whose announcement cannot be written serves', async () => {
  const port = await freePort();
  const holdword = await serveWith('>/dev/full', port);
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isUp, { timeout: 20_000 }).toBe(true);
  await expectToServe(url);
  expect(await holdword.stop()).toBe(0);
});

test('a server keeps running when the reader of its log is gone', async () => {
  const folder = await noisyAgent();
  const holdword = folder.serve('--agent', './agent.mjs');
  const url = await urlOf(holdword);
  holdword.closeErrorOutput();
  await expectToServe(url);
  expect(await holdword.stop()).toBe(0);
});
