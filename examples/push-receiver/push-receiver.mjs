// Receives the push notifications of one task: node push-receiver.mjs [AGENT_URL] [PORT]
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createPushReceiver } from '@holdword/runtime/push-receiver';

const [agentUrl = 'http://127.0.0.1:4310', port = '4320'] = process.argv.slice(2);
const receiver = createPushReceiver({
  keys: new URL('/.well-known/jwks.json', agentUrl),
  audience: `http://127.0.0.1:${port}`,
});

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(port), '127.0.0.1');

async function answer(request, response) {
  try {
    const notification = { headers: request.headers, body: await text(request) };
    await receiver.receive(notification, async ({ sequence, event }) => {
      const state = (event.task ?? event.statusUpdate)?.status.state;
      console.log(sequence, state ?? Object.keys(event)[0]);
      if (state === 'TASK_STATE_COMPLETED') server.close();
    });
    response.writeHead(204, { Connection: 'close' }).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(error.status ?? 500).end();
  }
}
