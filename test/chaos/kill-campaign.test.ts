import { afterAll, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import { KillCampaign } from './kill-campaign.ts';
import { startLoad } from './load/start-load.ts';
import { campaignSeed, Random } from './random.ts';
import { SCALE } from './scale.ts';
import { RestartingServer } from './server/restarting-server.ts';
import { printSummary } from './summary.ts';

watchForLeaks();

const folder = await temporaryFolder();
const server = new RestartingServer({ dataFolder: folder.path });

afterAll(async () => {
  await server.remove();
  await folder.remove();
});

/** J1, J2, J7 and J8, whenever the process dies. */
test(`nothing acknowledged is lost in ${SCALE.kills} kills`, async () => {
  const random = new Random(campaignSeed());
  printSummary('Kill campaign', { 'HOLDWORD_CHAOS_SEED to repeat': random.seed });
  const campaign = new KillCampaign(server, random, SCALE);
  const { ledger } = campaign;
  await server.start();
  const load = startLoad({ server, ledger, random });

  // First each kind of kill once and three in a row, so that a short campaign has them all.
  server.admit();
  await waitUntil('work of several kinds', () => ledger.waiting.size > 1 && ledger.keys.size > 2, 30_000);
  await campaign.kill();
  await campaign.killWhileStarting();
  await campaign.killWhileRecovering();
  await campaign.restartAndVerify();

  await campaign.killUntil(SCALE.kills);

  server.admit();
  await load.stop();
  await server.kill();
  const facts = await campaign.restartAndVerifyEverything();
  printSummary('Kill campaign: nothing acknowledged was lost, duplicated or left running', facts);
});
