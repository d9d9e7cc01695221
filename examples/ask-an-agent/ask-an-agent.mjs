// Uses a local command as an agent from a program: node ask-an-agent.mjs
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { loadAgent } from '@holdword/runtime/adapter';

const agent = await loadAgent({ adapter: 'exec', command: 'wc -w', timeout: 60 });

let task = await agent.handle('one two three');
while (/SUBMITTED|WORKING/.test(task.status.state)) {
  await pause(100);
  task = await agent.getTask(task.id);
}
assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
console.log(task.status.message.parts[0].text.trim());

await agent.deleteTask(task.id);
await agent.close();
