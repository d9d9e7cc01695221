// Disconnects in the middle of a stream, reconnects with the last event ID, and checks that no event is missing or
// duplicated. Uses only fetch.
import assert from 'node:assert/strict';
import { readEvents } from './read-events.mjs';

const COUNT = 20;
const CUT_AFTER = 8;
const rest = `${process.argv[2] ?? 'http://127.0.0.1:4310'}/a2a/rest`;
const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' };

const seen = [];
const stream = await fetch(`${rest}/message:stream`, {
  method: 'POST',
  headers,
  body: JSON.stringify({
    message: { role: 'ROLE_USER', messageId: crypto.randomUUID(), parts: [{ text: `count to ${COUNT}` }] },
  }),
});
for await (const event of readEvents(stream)) {
  seen.push(event);
  if (seen.length === CUT_AFTER) break;
}
const cursor = seen.at(-1)?.id;
console.log(`disconnected after event ${cursor}`);

const taskId = seen[0]?.data.task?.id;
const resumed = await fetch(`${rest}/tasks/${taskId}:subscribe`, {
  method: 'POST',
  headers: {
    ...headers,
    'A2A-Extensions': 'urn:holdword:a2a:resume:v1',
    'Last-Event-ID': String(cursor),
  },
});
for await (const event of readEvents(resumed)) {
  // The first event is the task as of the cursor, with an ID that was already received.
  if (event.id !== cursor) seen.push(event);
}

assert.deepEqual(
  seen.map((event) => event.id),
  seen.map((_, index) => index + 1),
  'events are missing, duplicated or out of order',
);
const counted = seen.flatMap((event) => event.data.artifactUpdate?.artifact.parts ?? []);
assert.equal(counted.length, COUNT);
assert.equal(seen.at(-1)?.data.statusUpdate?.status.state, 'TASK_STATE_COMPLETED');
console.log(`resumed: ${seen.length} events in total, none missing, none duplicated`);
