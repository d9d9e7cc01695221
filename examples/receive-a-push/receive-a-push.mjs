// Lets a local agent call a webhook of this program: node receive-a-push.mjs [ADAPTER] [TEXT]
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { loadAgent } from '@holdword/runtime/adapter';

const [adapter = 'openclaw', text = 'Write a hello world function'] = process.argv.slice(2);
const TOKEN = crypto.randomUUID();
const states = [];
const { promise: completed, resolve: complete } = Promise.withResolvers();

async function receive(request, response) {
  const isOurs = request.headers.authorization === `Bearer ${TOKEN}`;
  const { task, statusUpdate } = await json(request);
  response.writeHead(isOurs ? 204 : 401).end();
  const status = (task ?? statusUpdate)?.status;
  if (!isOurs || status === undefined) return;
  states.push(status.state);
  if (/COMPLETED|FAILED/.test(status.state)) complete(status);
}

const webhook = createServer((request, response) => void receive(request, response));
await once(webhook.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${webhook.address().port}/hook`;

// Webhooks on this machine are rejected unless they are allowed.
const agent = await loadAgent({ adapter, push: { allowPrivate: ['127.0.0.1'] } });
try {
  const task = await agent.handle({
    message: { parts: [{ text }] },
    configuration: { taskPushNotificationConfig: { url, token: TOKEN } },
  });
  console.log(`Waiting for notifications of task ${task.id}.`);

  const status = await completed;
  assert.deepEqual(states, ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
  console.log(`${states.join(', ')}: ${status.message.parts[0].text}`);
  assert.equal(await agent.deleteTask(task.id), true);
} finally {
  await agent.close();
  webhook.closeAllConnections();
  webhook.close();
}
