import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { demoAgent } from '@holdword/runtime/internal';
import { expect, onTestFinished, test } from 'vitest';
import { startAgent } from '../../test/support/start-agent.ts';

const PROGRAM = fileURLToPath(new URL('./push-receiver.mjs', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test('the receiver prints every event of the task once and in order, and exits', async () => {
  const agent = await startAgent({
    executor: demoAgent,
    runtime: { push: { allowPrivate: ['127.0.0.1'], longestPauseMilliseconds: 100 } },
  });
  onTestFinished(() => agent.close());
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM, agent.target.baseUrl, String(port)]);
  const ended = once(child, 'close');
  const printed = text(child.stdout);
  const driver = await agent.driver({ binding: 'JSONRPC', version: '1.0', client: 'raw' });
  await driver.send({
    message: { role: 'ROLE_USER', messageId: 'm1', parts: [{ text: 'count to 2' }] },
    configuration: { taskPushNotificationConfig: { url: `http://127.0.0.1:${port}/hook` } },
  });
  expect(await ended).toEqual([0, null]);
  expect((await printed).trim().split('\n')).toEqual([
    '1 TASK_STATE_SUBMITTED',
    '2 TASK_STATE_WORKING',
    '3 artifactUpdate',
    '4 artifactUpdate',
    '5 TASK_STATE_COMPLETED',
  ]);
});
