import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isTerminal } from '@holdword/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import { checkJournal } from './journal/check-journal.ts';
import { lastStateOf } from './journal/frame-state.ts';
import { replay } from './journal/replay.ts';
import { messageRequest } from './load/message-request.ts';
import { nextClient, retryUntilAnswered } from './load/load-context.ts';
import { campaignSeed, Random } from './random.ts';
import { allFrames } from './reading/all-frames.ts';
import { readToEnd, type Reading } from './reading/read-to-end.ts';
import { SCALE } from './scale.ts';
import { RestartingServer } from './server/restarting-server.ts';
import { printSummary } from './summary.ts';
import { inParallel } from './verify/in-parallel.ts';
import type { EventFrame } from './wire/client.ts';

const STREAMS_AT_ONCE = 8;
const LONGEST_CUT_BYTES = 24_000;
const SHORT_CUT_BYTES = 200;
const LONGEST_RUN_MILLISECONDS = 300;
const STREAMS_ACROSS_RESTARTS = Math.floor(SCALE.resumedStreams * 0.4);
const UNDISTURBED_STREAMS = SCALE.resumedStreams - STREAMS_ACROSS_RESTARTS;

watchForLeaks();

const folder = await temporaryFolder();
const agent = fileURLToPath(new URL('./fixtures/paced-agent.ts', import.meta.url));
const server = new RestartingServer({ dataFolder: folder.path, agent });
const random = new Random(campaignSeed());
const { signal } = new AbortController();

beforeAll(async () => {
  await server.start();
  server.admit();
});

afterAll(async () => {
  await server.remove();
  await folder.remove();
});

/** J5: a reader can disconnect and reconnect. */
test(`${UNDISTURBED_STREAMS} streams cut at random bytes are resumed without a difference`, async () => {
  const readings: Reading[] = [];
  let uncutReaders = 0;
  await inParallel(numbers(UNDISTURBED_STREAMS), STREAMS_AT_ONCE, async (number) => {
    const own = random.fork(`stream-${number}`);
    const task = Promise.withResolvers<string>();
    const [reading, uncut] = await Promise.all([
      readCut(own, `stream-${number}`, { restarts: false, onTask: task.resolve }),
      number % 5 === 0 ? task.promise.then((taskId) => readUncut(own.fork('uncut'), taskId)) : undefined,
    ]);
    await compareWithReplay(own, reading);
    readings.push(reading);
    if (uncut === undefined) return;
    expect(uncut).toEqual(reading.frames);
    uncutReaders += 1;
  });
  printSummary('Resume campaign: every resumed stream equals the uninterrupted one', {
    ...countsOf(readings),
    'uninterrupted readers': uncutReaders,
  });
});

/** J5 and J1: a replay after a restart equals what was sent before it. */
test(`${STREAMS_ACROSS_RESTARTS} streams are resumed across ${SCALE.restartsDuringStreams} restarts`, async () => {
  const readings: Reading[] = [];
  const reading = inParallel(numbers(STREAMS_ACROSS_RESTARTS), STREAMS_AT_ONCE, async (number) => {
    const own = random.fork(`restarted-${number}`);
    const read = await readCut(own, `restarted-${number}`, { restarts: true });
    await compareWithReplay(own, read);
    readings.push(read);
  });
  await Promise.all([reading, restartAtIntervals(() => readings.length)]);
  printSummary('Resume campaign across restarts: every resumed stream equals the uninterrupted one', {
    ...countsOf(readings),
    'restarts, every other one a kill': SCALE.restartsDuringStreams,
  });
});

async function restartAtIntervals(finished: () => number): Promise<void> {
  const interval = STREAMS_ACROSS_RESTARTS / (SCALE.restartsDuringStreams + 1);
  for (let restart = 1; restart <= SCALE.restartsDuringStreams; restart += 1) {
    await waitUntil(`stream ${restart * interval}`, () => finished() >= restart * interval, 120_000);
    await pause(random.integer(0, LONGEST_RUN_MILLISECONDS));
    await (restart % 2 === 0 ? server.kill() : server.stop());
    await server.start({ graceSeconds: random.pick([0, 5]) });
    server.admit();
  }
}

async function readCut(
  own: Random,
  idempotencyKey: string,
  options: { restarts: boolean; onTask?: (taskId: string) => void },
): Promise<Reading> {
  const words = own.chance(0.5) ? `count to ${own.integer(1, 400)}` : `drip ${own.integer(1, 150)}`;
  const request = messageRequest(words, idempotencyKey);
  const nextCut = (): number => own.integer(0, own.chance(0.1) ? SHORT_CUT_BYTES : LONGEST_CUT_BYTES);
  return readToEnd({ server, random: own, signal }, { ...options, request, idempotencyKey, nextCut });
}

async function compareWithReplay(own: Random, { taskId, frames }: Reading): Promise<void> {
  const state = lastStateOf(frames);
  if (state === undefined || !isTerminal(state)) throw new Error(`Task ${taskId} was read up to ${state}.`);
  const replayed = await retryUntilAnswered({ server, random: own, signal }, (client) =>
    replay(client, taskId, state),
  );
  expect(frames).toEqual(replayed);
  expect(checkJournal(taskId, frames)).toEqual([]);
}

async function readUncut(own: Random, taskId: string): Promise<EventFrame[]> {
  const client = await nextClient({ server, random: own, signal });
  return allFrames(client.subscribe(taskId, 0));
}

function countsOf(readings: readonly Reading[]): Record<string, string | number> {
  return {
    'HOLDWORD_CHAOS_SEED to repeat': random.seed,
    streams: readings.length,
    connections: readings.reduce((sum, { connections }) => sum + connections, 0),
    'events compared byte for byte': readings.reduce((sum, { frames }) => sum + frames.length, 0),
  };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
