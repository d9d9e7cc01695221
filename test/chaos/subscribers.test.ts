import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Task } from '@holdword/protocol';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import { messageRequest } from './load/message-request.ts';
import { BareSubscriber } from './reading/bare-subscriber.ts';
import { SCALE } from './scale.ts';
import { RestartingServer } from './server/restarting-server.ts';
import { printSummary } from './summary.ts';
import { inParallel } from './verify/in-parallel.ts';
import { Client } from './wire/client.ts';
import { restBinding } from './wire/rest-binding.ts';

const TICKS = 20;
/** How long readers have to connect before the first tick. */
const WAIT_MILLISECONDS = 2_000 + SCALE.subscribers * 4;
const KIBIBYTES_EACH = 100;

watchForLeaks();

const folder = await temporaryFolder();
const agent = fileURLToPath(new URL('./fixtures/ticking-agent.ts', import.meta.url));
const server = new RestartingServer({ dataFolder: folder.path, agent });

afterAll(async () => {
  await server.remove();
  await folder.remove();
});

test(`${SCALE.subscribers} subscribers of ${SCALE.streamingTasks} tasks receive every event`, async () => {
  const config = { limits: { concurrentTurns: SCALE.streamingTasks } };
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
  await server.start();
  const client = new Client(server.address, restBinding);
  const taskIds = await Promise.all(Array.from({ length: SCALE.streamingTasks }, () => begin(client)));
  const before = server.residentBytes ?? 0;

  const delays: number[] = [];
  const subscribers: BareSubscriber[] = [];
  await inParallel(Array.from({ length: SCALE.subscribers }).keys(), 50, async (number) => {
    const taskId = taskIds[number % taskIds.length] as string;
    const subscriber = new BareSubscriber(server.address, taskId, (delay) => void delays.push(delay));
    subscribers.push(subscriber);
    await subscriber.opened;
  });
  const opened = server.residentBytes ?? 0;
  await Promise.all(subscribers.map(({ ended }) => ended));
  const during = server.residentBytes ?? 0;

  expect(delays).toHaveLength(SCALE.subscribers * TICKS);
  const growth = Math.max(opened, during) - before;
  expect(growth / SCALE.subscribers / 1024).toBeLessThan(KIBIBYTES_EACH + 40_000 / SCALE.subscribers);
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  printSummary('Subscribers: everybody received every event', {
    subscribers: SCALE.subscribers,
    tasks: SCALE.streamingTasks,
    'events delivered': delays.length,
    'delay p50 / p99 / most in ms': `${at(0.5)} / ${at(0.99)} / ${at(1)}`,
    'server in MiB before, with idle subscribers, after': [before, opened, during]
      .map((bytes) => (bytes / 1024 / 1024).toFixed(0))
      .join(', '),
  });
});

async function begin(client: Client): Promise<string> {
  const request = messageRequest(`tick ${TICKS} after ${WAIT_MILLISECONDS}`, 'ticks', {
    returnImmediately: true,
  });
  return (JSON.parse(await client.send(request)) as Task).id;
}
