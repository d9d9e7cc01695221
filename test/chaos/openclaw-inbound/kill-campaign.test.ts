import { fileURLToPath } from 'node:url';
import { onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { KillCampaign } from '../kill-campaign.ts';
import { startLoad } from '../load/start-load.ts';
import { campaignSeed, Random } from '../random.ts';
import { SCALE } from '../scale.ts';
import { RestartingServer } from '../server/restarting-server.ts';
import { printSummary } from '../summary.ts';
import { BINDINGS } from '../wire/client.ts';
import { withHeaders } from '../wire/with-headers.ts';
import { PEER_KEY } from './peer-key.ts';

watchForLeaks();

const bindings = BINDINGS.map((binding) => withHeaders(binding, { authorization: `Bearer ${PEER_KEY}` }));
const program = fileURLToPath(new URL('./bare-host.ts', import.meta.url));

/** J1, J2, J7 and J8 for the inbound plugin while its host is killed at random. */
test.each([
  ['whose turns may have had effects: they fail', 'all'],
  ['whose turns have no effects: they run again', 'none'],
])(`nothing acknowledged is lost in ${SCALE.hostKills} kills of a host %s`, async (_whose, tools) => {
  const folder = await temporaryFolder();
  const environment = { HOST_TOOLS: tools };
  const server = new RestartingServer({ dataFolder: folder.path, program, environment });
  onTestFinished(async () => {
    await server.remove();
    await folder.remove();
  });
  const random = new Random(campaignSeed());
  printSummary('Kill campaign of the inbound plugin', { 'HOLDWORD_CHAOS_SEED to repeat': random.seed });
  const campaign = new KillCampaign(server, random, SCALE, bindings);
  const { ledger } = campaign;
  await server.start();
  const load = startLoad({ server, ledger, random, bindings });

  server.admit();
  await waitUntil('work of several kinds', () => ledger.waiting.size > 1 && ledger.keys.size > 2, 30_000);
  await campaign.kill();
  await campaign.killWhileRecovering();
  await campaign.restartAndVerify();
  await campaign.killUntil(SCALE.hostKills);

  server.admit();
  await load.stop();
  await server.kill();
  const facts = await campaign.restartAndVerifyEverything();
  printSummary('Kill campaign of the inbound plugin: nothing was lost, duplicated or left running', facts);
});
