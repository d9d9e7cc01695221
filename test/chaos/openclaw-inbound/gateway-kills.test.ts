import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { awaitCard } from '../../openclaw/harness/await-card.ts';
import { startGateway } from '../../openclaw/harness/gateway.ts';
import { setup as installOpenClaw } from '../../openclaw/harness/install-openclaw.ts';
import { createOpenClawHome } from '../../openclaw/harness/openclaw-home.ts';
import { packedPlugin } from '../../openclaw/harness/packed-plugin.ts';
import { startChannel } from '../../openclaw/harness/start-channel.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { Ledger } from '../ledger.ts';
import { cancel } from '../load/scenarios/cancel.ts';
import { count } from '../load/scenarios/count.ts';
import { echo } from '../load/scenarios/echo.ts';
import { keyedEcho } from '../load/scenarios/keyed-echo.ts';
import { queueUp } from '../load/scenarios/queue-up.ts';
import { startLoad } from '../load/start-load.ts';
import { campaignSeed, Random } from '../random.ts';
import { SCALE } from '../scale.ts';
import { AdmissionGate } from '../server/admission-gate.ts';
import { printSummary } from '../summary.ts';
import { verifyEverything } from '../verify/verify-everything.ts';
import { verifyTask } from '../verify/verify-task.ts';
import { BINDINGS, Client } from '../wire/client.ts';
import { withHeaders } from '../wire/with-headers.ts';
import { startCampaignModel } from './campaign-model.ts';
import { PEER_KEY, PEER_KEY_SHA256 } from './peer-key.ts';

const TASKS_BETWEEN_KILLS = 12;
const BETWEEN_KILLS_MILLISECONDS = 300_000;
const bindings = BINDINGS.map((binding) => withHeaders(binding, { authorization: `Bearer ${PEER_KEY}` }));
/** A gateway takes half a second for each turn. */
const PLAN = { scenarios: [echo, echo, keyedEcho, count, cancel, queueUp], users: 4 };

/** The campaign with the bare host, repeated with everything between the plugin and its agent. */
test.skipIf(SCALE.gatewayKills === 0)(
  `nothing acknowledged is lost in ${SCALE.gatewayKills} kills of an OpenClaw gateway`,
  async () => {
    installOpenClaw();
    const model = await startCampaignModel();
    const { folder } = await packedPlugin('openclaw-inbound');
    const home = await createOpenClawHome({ model, configuration: (places) => withPlugin(folder, places) });
    let gateway = await startGateway(home);
    onTestFinished(async () => {
      await gateway.kill();
      await model.close();
      await home.remove();
    });
    const address = home.gatewayUrl.replace(/^ws/, 'http');
    await awaitCard(address);
    const random = new Random(campaignSeed());
    const ledger = new Ledger();
    const server = new AdmissionGate();
    const load = startLoad({ server, ledger, random, bindings }, PLAN);
    const client = (): Client => new Client(address, random.pick(bindings));

    for (let kill = 1; kill <= SCALE.gatewayKills; kill += 1) {
      const { tasks } = ledger.counts;
      server.open(address);
      await waitUntil(
        'more tasks',
        () => ledger.counts.tasks >= tasks + TASKS_BETWEEN_KILLS,
        BETWEEN_KILLS_MILLISECONDS,
      );
      server.close();
      await gateway.kill();
      gateway = await startGateway(home);
      await startChannel(home, 'a2a');
      await awaitCard(address);
      for (const taskId of ledger.takeTouched()) await verifyTask(client(), ledger, taskId);
      expect(ledger.violations).toEqual([]);
    }
    await load.stop();
    const tasks = await verifyEverything(client(), ledger);
    expect(ledger.violations).toEqual([]);
    printSummary('Kill campaign of the gateway: nothing was lost, duplicated or left running', {
      kills: SCALE.gatewayKills,
      'tasks, all verified at the end': tasks,
      'acknowledged events': ledger.counts.events,
      'acknowledged responses': ledger.counts.responses,
      'idempotency keys': ledger.counts.keys,
    });
  },
);

function withPlugin(
  pluginFolder: string,
  home: { folder: string; gatewayPort: number },
): Record<string, unknown> {
  const account = {
    publicBaseUrl: `http://127.0.0.1:${home.gatewayPort}`,
    agentStyle: 'task-generating',
    taskStore: { kind: 'sqlite', path: join(home.folder, 'tasks') },
    features: { rest: true },
    auth: {
      required: true,
      peers: { campaign: { keySha256: PEER_KEY_SHA256, tools: 'all' } },
    },
  };
  return {
    plugins: { load: { paths: [pluginFolder] }, entries: { 'openclaw-a2a-inbound': { enabled: true } } },
    channels: { a2a: { accounts: { default: account } } },
  };
}
