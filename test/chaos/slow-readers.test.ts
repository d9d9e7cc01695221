import { fileURLToPath } from 'node:url';
import type { Task } from '@holdword/protocol';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import { digestOf } from './journal/digest.ts';
import { replay } from './journal/replay.ts';
import { messageRequest } from './load/message-request.ts';
import { allFrames } from './reading/all-frames.ts';
import { SCALE } from './scale.ts';
import { RestartingServer } from './server/restarting-server.ts';
import { printSummary } from './summary.ts';
import { BINDINGS, Client } from './wire/client.ts';

const CHUNKS = 1_500;
/** The journal has 12 MiB: if unread events were kept in memory, 24 readers would cost over 280 MiB. */
const GROWTH_LIMIT_BYTES = 240 * 1024 * 1024;
/** The others disconnect without reading anything. */
const READERS_TO_THE_END = 6;

watchForLeaks();

const folder = await temporaryFolder();
const agent = fileURLToPath(new URL('./fixtures/paced-agent.ts', import.meta.url));
const server = new RestartingServer({ dataFolder: folder.path, agent });

afterAll(async () => {
  await server.remove();
  await folder.remove();
});

/** J5: a slow reader costs no memory and misses nothing. */
test(`${SCALE.slowReaders} stalled readers cost the server no memory`, async () => {
  await server.start();
  const clients = BINDINGS.map((binding) => new Client(server.address, binding));
  const client = clients[0] as Client;
  // First without readers, to exclude the memory that the task itself needs.
  for (const label of ['first', 'second']) await runToEnd(client, await begin(client, label));
  const before = server.residentBytes;

  const taskId = await begin(client, 'watched');
  const readers = Array.from(
    { length: SCALE.slowReaders },
    (_, number) => clients[number % clients.length] as Client,
  );
  const opened = await Promise.all(
    readers.map(async (reader) => ({ reader, response: await reader.openSubscription(taskId, 0) })),
  );
  await runToEnd(client, taskId);
  const after = server.residentBytes;

  const whole = await replay(client, taskId, 'TASK_STATE_COMPLETED');
  for (const { response } of opened.splice(READERS_TO_THE_END)) response.destroy();
  for (const { reader, response } of opened) {
    expect(digestOf(await allFrames(reader.frames(response)))).toBe(digestOf(whole));
  }
  const growth = before === undefined || after === undefined ? 0 : after - before;
  expect(growth).toBeLessThan(GROWTH_LIMIT_BYTES);
  printSummary('Slow readers: received all events and cost no memory', {
    readers: readers.length,
    'events each': whole.length,
    'memory growth of the server in MiB': (growth / 1024 / 1024).toFixed(1),
  });
});

async function begin(client: Client, label: string): Promise<string> {
  const request = messageRequest(`pour ${CHUNKS}`, label, { returnImmediately: true });
  return (JSON.parse(await client.send(request)) as Task).id;
}

async function runToEnd(client: Client, taskId: string): Promise<void> {
  await waitUntil(
    `task ${taskId} to end`,
    async () => {
      const { tasks } = await client.listTasks({ status: 'TASK_STATE_COMPLETED' });
      return tasks.some(({ id }) => id === taskId);
    },
    60_000,
  );
}
