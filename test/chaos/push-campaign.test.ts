import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Task } from '@holdword/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import { replay } from './journal/replay.ts';
import { messageRequest } from './load/message-request.ts';
import { nextClient, retryUntilAnswered } from './load/load-context.ts';
import { UnreliableReceiver } from './push/unreliable-receiver.ts';
import { campaignSeed, Random } from './random.ts';
import { SCALE } from './scale.ts';
import { RestartingServer } from './server/restarting-server.ts';
import { printSummary } from './summary.ts';
import { inParallel } from './verify/in-parallel.ts';
import { settle } from './verify/settle.ts';

const SENDS_AT_ONCE = 8;
const CHECKS_AT_ONCE = 4;
const DOWN_MILLISECONDS = 2_000;
const LONGEST_WAIT_MILLISECONDS = 120_000;

watchForLeaks();

const folder = await temporaryFolder();
const server = new RestartingServer({ dataFolder: folder.path });
const random = new Random(campaignSeed());
const receiver = new UnreliableReceiver(random.fork('receiver'));
const context = { server, random: random.fork('clients'), signal: new AbortController().signal };

beforeAll(async () => {
  const config = { push: { allowPrivate: ['127.0.0.0/8'], timeoutSeconds: 5, longestPauseSeconds: 2 } };
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
  await receiver.open();
  await server.start();
  server.admit();
});

afterAll(async () => {
  await server.remove();
  await receiver.close();
  await folder.remove();
});

/** J11, with a receiver that fails, is slow and disappears, and a sender that is killed. */
test(`every event of ${SCALE.notifiedTasks} tasks arrives, in order`, async () => {
  const taskIds: string[] = [];
  const sending = inParallel(numbers(SCALE.notifiedTasks), SENDS_AT_ONCE, async (number) => {
    taskIds.push(await sendTask(`notified-${number}`));
  });
  await Promise.all([sending, disturb()]);

  let events = 0;
  await inParallel(taskIds, CHECKS_AT_ONCE, async (taskId) => {
    const checked = await checkTask(taskId);
    events += checked;
  });
  printSummary('Push campaign: every event arrived, in order', {
    'HOLDWORD_CHAOS_SEED to repeat': random.seed,
    tasks: taskIds.length,
    'events compared byte for byte': events,
    'requests to the receiver': receiver.requests,
    'failed requests': receiver.failures,
    duplicates: receiver.takenCount - events,
  });
});

async function sendTask(label: string): Promise<string> {
  const request = messageRequest(`count to ${context.random.integer(1, 8)}`, label);
  const configuration = {
    returnImmediately: context.random.chance(0.5),
    taskPushNotificationConfig: { id: 'campaign', url: receiver.url },
  };
  const json = await retryUntilAnswered(context, (client) =>
    client.send({ ...request, configuration }, label),
  );
  const task = JSON.parse(json) as Task;
  return task.id;
}

/** Kills the sender, stops the receiver for a while, and kills the sender again. */
async function disturb(): Promise<void> {
  await killAfter(SCALE.notifiedTasks);
  await receiver.close();
  await pause(DOWN_MILLISECONDS);
  await receiver.open();
  await killAfter(SCALE.notifiedTasks * 2);
}

async function killAfter(taken: number): Promise<void> {
  await waitUntil(`${taken} received events`, () => receiver.takenCount >= taken, LONGEST_WAIT_MILLISECONDS);
  await server.kill();
  await server.start();
  server.admit();
}

/** Compares the received events with the journal; returns their number. */
async function checkTask(taskId: string): Promise<number> {
  const client = await nextClient(context);
  const { task } = await settle(client, taskId);
  const frames = await replay(client, taskId, task.status.state);
  await waitUntil(
    `event ${frames.length} of task ${taskId}`,
    () => receiver.takenOf(taskId).some(({ sequence }) => sequence === frames.length),
    LONGEST_WAIT_MILLISECONDS,
  );
  let last = 0;
  for (const { sequence, body } of receiver.takenOf(taskId)) {
    expect(body).toBe(frames[sequence - 1]?.json);
    // An event is repeated if its response was lost, never before its predecessor.
    expect(sequence).toBeLessThanOrEqual(last + 1);
    last = Math.max(last, sequence);
  }
  expect(last).toBe(frames.length);
  return frames.length;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
