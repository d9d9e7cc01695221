// Sends a message, then polls its task until it has ended: node poll-a-task.mjs [AGENT_URL] [TEXT]
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const [agentUrl = 'http://127.0.0.1:4310', text = 'count to 3'] = process.argv.slice(2);
const HEADERS = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' };

async function call(path, body) {
  const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${agentUrl}/a2a/rest/${path}`, { headers: HEADERS, ...request });
  const answer = await response.json();
  assert.ok(response.ok, `${path}: HTTP ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

let { task } = await call('message:send', {
  message: { role: 'ROLE_USER', messageId: crypto.randomUUID(), parts: [{ text }] },
  configuration: { returnImmediately: true },
});
console.log(`Task ${task.id} created, state: ${task.status.state}`);

while (['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'].includes(task.status.state)) {
  await pause(200);
  task = await call(`tasks/${task.id}`);
}

console.log(`Ended, state: ${task.status.state}`);
assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
for (const part of task.status.message.parts) console.log(`Response: ${part.text}`);
