import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Task } from '@holdword/protocol';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import { checkJournal } from './journal/check-journal.ts';
import { artifactTextOf, numbersUpTo } from './journal/check-outcome.ts';
import { lastStateOf } from './journal/frame-state.ts';
import { replay } from './journal/replay.ts';
import { messageRequest } from './load/message-request.ts';
import { campaignSeed, Random } from './random.ts';
import { readToEnd } from './reading/read-to-end.ts';
import { SCALE } from './scale.ts';
import { RestartingServer } from './server/restarting-server.ts';
import { printSummary } from './summary.ts';
import { BINDINGS, Client } from './wire/client.ts';

const TASKS = 6;
const LEAST_RUN_MILLISECONDS = 50;
const LONGEST_RUN_MILLISECONDS = 500;
/** At 5 ms or more per number, longer than the server runs before its last kill. */
const TARGET = 120 + SCALE.resumableKills * 60;

watchForLeaks();

const folder = await temporaryFolder();
const agent = fileURLToPath(new URL('./fixtures/resumable-agent.ts', import.meta.url));
const server = new RestartingServer({ dataFolder: folder.path, agent });

afterAll(async () => {
  await server.remove();
  await folder.remove();
});

/** J7: a resumable agent continues, and nobody sees a step twice. */
test(`a resumable agent ends once and with the right result over ${SCALE.resumableKills} kills`, async () => {
  const random = new Random(campaignSeed());
  const over = new AbortController();
  await server.start();
  server.admit();
  const readings = Array.from({ length: TASKS }, (_, number) => {
    const idempotencyKey = `tally-${number}`;
    const request = messageRequest(`count to ${TARGET}`, idempotencyKey);
    const context = { server, random: random.fork(idempotencyKey), signal: over.signal };
    return readToEnd(context, { request, idempotencyKey, restarts: true });
  });
  const allRead = Promise.all(readings);
  // It is awaited below; a failure until then must not count as unhandled.
  allRead.catch(() => over.abort());
  for (let kill = 0; kill < SCALE.resumableKills; kill += 1) {
    await pause(random.integer(LEAST_RUN_MILLISECONDS, LONGEST_RUN_MILLISECONDS));
    await server.kill();
    await server.start();
    server.admit();
  }
  const read = await allRead;

  const client = new Client(server.address, random.pick(BINDINGS));
  for (const { taskId, frames } of read) {
    const task = JSON.parse(await client.getTask(taskId)) as Task;
    expect(await replay(client, taskId, task.status.state)).toEqual(frames);
    expect(checkJournal(taskId, frames)).toEqual([]);
    expect(lastStateOf(frames)).toBe('TASK_STATE_COMPLETED');
    expect(artifactTextOf(frames)).toBe(numbersUpTo(TARGET));
    expect(task.status.message?.parts).toEqual([{ text: 'attempt after a resume' }]);
  }
  printSummary('Resumable agent: every task ended once, with the right result', {
    'HOLDWORD_CHAOS_SEED to repeat': random.seed,
    kills: SCALE.resumableKills,
    tasks: read.length,
    'steps of each task': TARGET,
    'connections of the readers': read.reduce((sum, { connections }) => sum + connections, 0),
  });
});
