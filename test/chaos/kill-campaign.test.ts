import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { Ledger } from './ledger.ts';
import { startLoad } from './load/start-load.ts';
import { campaignSeed, Random } from './random.ts';
import { SCALE } from './scale.ts';
import { RestartingServer } from './server/restarting-server.ts';
import { printSummary } from './summary.ts';
import { answerWaiting } from './verify/answer-waiting.ts';
import { examineCopy } from './verify/examine-copy.ts';
import { inParallel } from './verify/in-parallel.ts';
import { verifyEverything } from './verify/verify-everything.ts';
import { verifyKeys } from './verify/verify-keys.ts';
import { verifyTask } from './verify/verify-task.ts';
import { verifyWaiting } from './verify/verify-waiting.ts';
import { BINDINGS, Client } from './wire/client.ts';

const LONGEST_LOAD_MILLISECONDS = 600;
const LONGEST_START_MILLISECONDS = 700;
const RECOVERY_OR_READY = /was interrupted|Running a task|is ready/;
const KEYS_CHECKED_EACH_TIME = 20;

const folder = await temporaryFolder();
const server = new RestartingServer({ dataFolder: folder.path });

afterAll(async () => {
  await server.remove();
  await folder.remove();
});

/** J1, J2, J7 and J8, whenever the process dies. */
test(`nothing acknowledged is lost in ${SCALE.kills} kills`, async () => {
  const random = new Random(campaignSeed());
  const ledger = new Ledger();
  const counts = {
    kills: 0,
    whileStarting: 0,
    whileRecovering: 0,
    verified: 0,
    waitingUnchanged: 0,
    copies: 0,
  };
  printSummary('Kill campaign', { 'PARLEY_CHAOS_SEED to repeat': random.seed });

  const killed = async (): Promise<void> => {
    await server.kill();
    counts.kills += 1;
    if (counts.kills % SCALE.killsBetweenCopies !== 0) return;
    await examineCopy(folder.path, ledger);
    counts.copies += 1;
  };
  const killWhileStarting = async (): Promise<void> => {
    server.begin();
    counts.whileStarting += 1;
    await pause(random.integer(0, LONGEST_START_MILLISECONDS));
    await killed();
  };
  const killWhileRecovering = async (): Promise<void> => {
    server.begin();
    counts.whileRecovering += 1;
    await server.printedOrEnded(RECOVERY_OR_READY);
    await killed();
  };
  const verify = async (): Promise<void> => {
    const client = new Client(server.address, random.pick(BINDINGS));
    const touched = ledger.touched;
    counts.waitingUnchanged += await verifyWaiting(client, ledger);
    await inParallel(touched, 4, async (taskId) => {
      await verifyTask(client, ledger, taskId);
    });
    await verifyKeys(client, ledger, [...ledger.keys].slice(-KEYS_CHECKED_EACH_TIME));
    ledger.verified(touched);
    counts.verified += touched.length;
    expect(ledger.violations).toEqual([]);
  };

  await server.start();
  const load = startLoad({ server, ledger, random });
  // Twice in a row at the least, and before chance decides, so that a short campaign has every kind of kill.
  server.admit();
  await waitUntil('work of every kind', () => ledger.waiting.size > 1 && ledger.keys.size > 2, 30_000);
  await killed();
  await killWhileStarting();
  await killWhileRecovering();
  await server.start();
  await verify();
  while (counts.kills < SCALE.kills) {
    server.admit();
    await pause(random.integer(0, LONGEST_LOAD_MILLISECONDS));
    await killed();
    if (random.chance(0.25) && counts.kills < SCALE.kills) await killWhileStarting();
    if (random.chance(0.25) && counts.kills < SCALE.kills) await killWhileRecovering();
    await server.start();
    await verify();
  }
  server.admit();
  await load.stop();
  await server.kill();
  await server.start();
  const client = new Client(server.address, random.pick(BINDINGS));
  const tasks = await verifyEverything(client, ledger);
  const answered = await answerWaiting(client, ledger);
  expect(ledger.violations).toEqual([]);

  printSummary('Kill campaign: nothing acknowledged was lost, doubled or left running', {
    kills: counts.kills,
    'of these while starting': counts.whileStarting,
    'of these while recovering': counts.whileRecovering,
    'tasks, all verified at the end': tasks,
    'tasks verified after a restart': counts.verified,
    'waiting tasks found unchanged': counts.waitingUnchanged,
    'waiting tasks answered at the end': answered,
    'acknowledged events': ledger.counts.events,
    'acknowledged answers': ledger.counts.answers,
    'idempotency keys': ledger.counts.keys,
    'copied databases found sound': counts.copies,
  });
  expect(ledger.counts.events).toBeGreaterThan(SCALE.kills);
});
