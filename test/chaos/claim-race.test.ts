import { fileURLToPath } from 'node:url';
import { HoldwordProcess } from '@holdword/cli/testing';
import { usePostgres } from '@holdword/store/testing/postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import { errorOf, message, type HubAgent } from '../e2e/hub/hub-agents.ts';
import { startHub, type Json, type RunningHub } from '../e2e/hub/start-hub.ts';
import { waitUntil } from '../support/wait-until.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import { ClaimRace } from './hub/claim-race.ts';
import { SCALE } from './scale.ts';
import { printSummary } from './summary.ts';

watchForLeaks();

const AGENT = fileURLToPath(new URL('./hub/questioning-agent.ts', import.meta.url));
const CLAIMER = fileURLToPath(new URL('./hub/claimer.ts', import.meta.url));
/** The shortest that an offer may ask for. */
const LEASE_SECONDS = 10;
const PATIENCE_MILLISECONDS = 60_000;

async function serveHub(...words: string[]): Promise<RunningHub> {
  const hub = await startHub({
    command: ['serve', '--hub'],
    words: ['--grpc-port', 'off', '--agent', AGENT, ...words],
    config: { leaseSeconds: 3 },
  });
  onTestFinished(() => hub.stop());
  return hub;
}

async function runRaces(name: string, race: ClaimRace): Promise<void> {
  let ownerSteps = 0;
  let ownerRefusals = 0;
  for (let round = 0; round < SCALE.claimRaces; round += 1) {
    const outcome = await race.run();
    ownerSteps += outcome.ownerSteps;
    ownerRefusals += outcome.ownerRefusals;
  }
  expect(ownerRefusals, 'the owner must have been refused in each race').toBe(SCALE.claimRaces);
  printSummary(`Claim races on ${name}: one winner each, and one driver at a time`, {
    races: SCALE.claimRaces,
    'claims refused': SCALE.claimRaces * (race.claimers.length - 1),
    'steps of owners before the first step of their successor': ownerSteps,
  });
}

/** Claims in a process of its own, which is killed before it does anything else; the token that it got. */
async function claimAndDie(hub: RunningHub, { headers }: HubAgent, handoffId: string): Promise<string> {
  const params = JSON.stringify({ handoff_id: handoffId });
  const claimer = new HoldwordProcess([hub.url, JSON.stringify(headers), params], { program: CLAIMER });
  const [, token = ''] = await claimer.printed(/lease (\S+) \./);
  await claimer.kill();
  return token;
}

describe('on SQLite', () => {
  test(`of 20 agents, one wins each of ${SCALE.claimRaces} offers, and nobody else makes a step`, async () => {
    await runRaces('SQLite', await ClaimRace.start([await serveHub()]));
  });

  test('if the winner is killed before its first step, another wins when the lease has expired', async () => {
    const hub = await serveHub();
    const race = await ClaimRace.start([hub]);
    const { taskId, handoffId } = await race.offer(LEASE_SECONDS);
    const [dead, next] = race.claimers as [HubAgent, HubAgent];
    const lease = { handoff_id: handoffId, lease_token: await claimAndDie(hub, dead, handoffId) };
    const early = await race.call('handoff/claim', { handoff_id: handoffId }, next);
    expect(errorOf(early).data).toMatchObject({ details: { reason: 'already_claimed' } });

    await waitUntil(
      'the lease to expire',
      async () => {
        const { body } = await race.call('handoff/get', { handoff_id: handoffId }, next);
        return (body['result'] as Json)['status'] === 'offered';
      },
      PATIENCE_MILLISECONDS,
    );
    const { winner, lease: current } = await race.claim(handoffId);
    if (winner !== dead) {
      const late = await race.call('message/send', { ...lease, ...message('back again') }, dead);
      expect(errorOf(late).data).toMatchObject({ details: { reason: 'lease_lost' } });
    }
    await race.finish(winner, current);
    await race.expectSteps(taskId, winner, []);
  });
});

describe('on PostgreSQL with two hubs', () => {
  const postgres = usePostgres();

  async function startRace(): Promise<{ race: ClaimRace; hubs: [RunningHub, RunningHub] }> {
    const { url, newSchema } = postgres();
    const words = ['--store', url, '--store-schema', newSchema()];
    const hubs: [RunningHub, RunningHub] = [await serveHub(...words), await serveHub(...words)];
    return { race: await ClaimRace.start(hubs), hubs };
  }

  test(`of 20 agents, one wins each of ${SCALE.claimRaces} offers, and nobody else makes a step`, async () => {
    await runRaces('PostgreSQL', (await startRace()).race);
  });

  test('if the hub of the winner is killed after the claim, the winner goes on through the other', async () => {
    const { race, hubs } = await startRace();
    const [first, other] = hubs;
    const { taskId, handoffId } = await race.offer();
    const { winner, lease } = await race.claim(handoffId, [first]);
    await first.process.kill();
    await race.finish(winner, lease, [other]);
    await race.expectSteps(taskId, winner, [], [other]);
  });
});
