import { usePostgres } from '@holdword/store/testing/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { Ledger } from '../ledger.ts';
import { startLoad } from '../load/start-load.ts';
import { campaignSeed, Random } from '../random.ts';
import { SCALE } from '../scale.ts';
import { printSummary } from '../summary.ts';
import { ReplicaCampaign } from './replica-campaign.ts';
import { ReplicaSet } from './replica-set.ts';

watchForLeaks();

const postgres = usePostgres();

/** J1, J2, J3, J7 and J8 with several processes, whichever of them fails. */
test(`nothing acknowledged is lost in ${SCALE.replicaRounds} kills and pauses of one of two replicas`, async () => {
  const campaign = await begin('replicas');
  for (let round = 0; round < SCALE.replicaRounds; round += 1) {
    await (round % 2 === 0 ? campaign.kill() : campaign.pause());
  }
  const facts = await campaign.finish();
  expect(campaign.takenOver, 'processes must have been interrupted at work').toBeGreaterThan(0);
  printSummary('Replica campaign: nothing acknowledged was lost, duplicated or left running', facts);
});

test(`nothing acknowledged is lost when the database fails ${SCALE.databaseRounds} times`, async () => {
  const campaign = await begin('database');
  const { restart, crash } = postgres();
  for (let round = 0; round < SCALE.databaseRounds; round += 1) {
    await campaign.disturbDatabase(round % 2 === 0 ? restart : crash);
  }
  const facts = { 'database stopped or killed': SCALE.databaseRounds, ...(await campaign.finish()) };
  printSummary('Database campaign: nothing acknowledged was lost, duplicated or left running', facts);
});

/** Two replicas under load, stopped at the end of the test. */
async function begin(name: string): Promise<ReplicaCampaign> {
  const random = new Random(campaignSeed()).fork(name);
  printSummary(`Campaign: ${name}`, { 'HOLDWORD_CHAOS_SEED to repeat': campaignSeed() });
  const own = await temporaryFolder();
  const replicas = await ReplicaSet.start({
    folder: own.path,
    environment: { HOLDWORD_STORE: postgres().url, HOLDWORD_STORE_SCHEMA: postgres().newSchema() },
    random: random.fork('replicas'),
    count: 2,
  });
  onTestFinished(async () => {
    await replicas.remove();
    await own.remove();
  });
  const ledger = new Ledger(['TASK_STATE_CANCELED', 'TASK_STATE_FAILED']);
  const load = startLoad({ server: replicas, ledger, random: random.fork('load'), isShared: true });
  onTestFinished(() => load.stop());
  await waitUntil('work of several kinds', () => ledger.waiting.size > 1 && ledger.keys.size > 2, 30_000);
  return new ReplicaCampaign({ ledger, replicas, load, random: random.fork('campaign') });
}
