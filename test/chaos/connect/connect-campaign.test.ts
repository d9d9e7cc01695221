import { usePostgres } from '@holdword/store/testing/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { campaignSeed, Random } from '../random.ts';
import { SCALE } from '../scale.ts';
import { printSummary } from '../summary.ts';
import { type CampaignOptions, ConnectCampaign, FAULTS } from './connect-campaign.ts';

watchForLeaks();

const postgres = usePostgres();

/** J1, J3, J7 and J10, for turns that workers run, whoever dies. */
test.each([
  ['cannot resume and connects to a host', { resumes: false }],
  ['can resume and connects to a host', { resumes: true }],
  ['cannot resume and connects to one of two hosts', { resumes: false, hosts: 2 }],
  ['can resume and connects to one of two hosts', { resumes: true, hosts: 2 }],
])(
  `an agent that %s: nothing lost, nothing done twice, nothing stuck in ${SCALE.connectRounds} rounds`,
  async (_kind, agent: CampaignOptions) => {
    const folder = await temporaryFolder();
    const random = new Random(campaignSeed());
    printSummary('Connected agents', { 'HOLDWORD_CHAOS_SEED to repeat': random.seed });
    const environment: Record<string, string> =
      agent.hosts === undefined
        ? {}
        : { HOLDWORD_STORE: postgres().url, HOLDWORD_STORE_SCHEMA: postgres().newSchema() };
    const campaign = new ConnectCampaign(folder.path, random, { ...agent, environment });
    onTestFinished(async () => {
      await campaign.end();
      await folder.remove();
    });
    await campaign.start();
    const load = campaign.load(SCALE.connectTasks, 12);
    for (let round = 0; round < SCALE.connectRounds; round += 1) {
      // Each kind once, so that a short campaign has them all.
      await campaign.fault(FAULTS[round] ?? random.pick(FAULTS));
    }
    await load;
    const { violations, facts } = await campaign.verify();
    printSummary('Connected agents: every task has one outcome', facts);
    expect(violations.slice(0, 10)).toEqual([]);
    expect(facts['tasks']).toBeGreaterThanOrEqual(SCALE.connectTasks);
  },
);
