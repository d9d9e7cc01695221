// Serves OpenClaw over A2A until Ctrl-C: node serve-openclaw.mjs [PORT] [PATH_OF_OPENCLAW]
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { loadAgent, serveAgent } from '@holdword/runtime/adapter';

const [port = '9000', openclaw_path = 'openclaw'] = process.argv.slice(2);

const agent = await loadAgent({
  adapter: 'openclaw',
  session_id: 'a2a-demo-session',
  agent_id: 'main',
  thinking: 'low',
  openclaw_path,
});
const served = await serveAgent({
  card: { name: 'OpenClaw Agent', description: 'Personal AI super agent powered by OpenClaw' },
  agent,
  port: Number(port),
});

const card = await (await fetch(served.cardUrl)).json();
assert.equal(card.name, 'OpenClaw Agent');
assert.equal(card.capabilities.pushNotifications, true);
const { transport } = await agent.start();
console.log(`${card.name} is ready at ${served.url}, via its ${transport}.`);

await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await served.close();
await agent.close();
