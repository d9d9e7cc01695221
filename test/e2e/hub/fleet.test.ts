import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldwordProcess } from '@holdword/cli/testing';
import { hubClient } from '@holdword/hub/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import type { WorkerOrder } from './agents/migrating-worker.ts';
import { errorOf, registerAgent, resultOf, type HubAgent } from './hub-agents.ts';
import { NO_LIMITS, type Json, type RunningHub } from './start-hub.ts';

const LEDGER_AGENT = join(import.meta.dirname, 'agents', 'ledger-agent.ts');
const WORKER = join(import.meta.dirname, 'agents', 'migrating-worker.ts');
const BATCHES = 8;
/** Two missed beats of five seconds. */
const MISSING_AFTER_MILLISECONDS = 10_000;
const PATIENCE = 60_000;

watchForLeaks();
let folder: TemporaryFolder;
let port: number;
let hub: HoldwordProcess;
let client: Pick<RunningHub, 'rpc' | 'post' | 'get'>;
const workers: HoldwordProcess[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  port = await freePort();
  client = hubClient(`http://127.0.0.1:${port}`);
  const hubOptions = { ...NO_LIMITS, watchSeconds: 1, graceSeconds: 0 };
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify({ hubOptions }));
  hub = await startHub();
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await hub.stop();
  await folder.remove();
});

async function startHub(): Promise<HoldwordProcess> {
  const words = ['serve', '--hub', '--port', String(port), '--grpc-port', 'off', '--agent', LEDGER_AGENT];
  const process = new HoldwordProcess(words, { cwd: folder.path });
  await process.printed(/\/v1\/a2a\s/);
  return process;
}

function startWorker(order: WorkerOrder): HoldwordProcess {
  const worker = new HoldwordProcess([JSON.stringify(order)], { program: WORKER });
  workers.push(worker);
  return worker;
}

async function ask({ headers }: HubAgent, method: string, params: Json = {}): Promise<Json> {
  return resultOf(await client.rpc(method, params, headers));
}

test('a fleet finishes a migration although its agent and its hub are killed: nothing is lost or done twice', async () => {
  const hosts = client as RunningHub;
  const crew = await registerAgent(hosts, 'crew');
  const hire = (name: string): Promise<HubAgent> =>
    registerAgent(hosts, name, { controller_id: 'crew' }, { 'x-delx-controller-token': crew.token });
  const [first, second, third] = [await hire('runner-1'), await hire('runner-2'), await hire('runner-3')];
  for (const { headers } of [second, third])
    await client.rpc('heartbeat/bundle', { cadence_seconds: 3_600 }, headers);
  const ledger = join(folder.path, 'ledger.txt');
  const work = { hub: `http://127.0.0.1:${port}`, ledger, last: BATCHES };

  // The first agent migrates three batches, and is killed.
  const begun = { ...work, agentId: first.agentId, headers: first.headers, first: 1, stopAfter: 3 };
  const worker = startWorker(begun);
  await worker.printed(/reported batch 3\./);
  await worker.kill();

  // The hub notices after two missed beats, not before, and offers its task to the others.
  const handoff = await waitUntil(
    'the task to be offered',
    async () => ((await ask(second, 'handoff/list', { filter: 'claimable' }))['handoffs'] as Json[])[0],
    PATIENCE,
  );
  // Its tasks are offered before it is marked, so that a hub that is killed in between offers them when it is back.
  const fleet = await waitUntil('the agent to be marked as missing', async () => {
    const agents = (await ask(crew, 'fleet/status'))['agents'] as Json[];
    return agents.some(({ health }) => health === 'missing') ? agents : undefined;
  });
  const lost = fleet.find(({ agent_id }) => agent_id === 'runner-1');
  expect(lost).toMatchObject({ health: 'missing', open_tasks: [{ task_id: handoff['task_id'] }] });
  const waited = Date.parse(String(handoff['created_at'])) - Date.parse(String(lost?.['last_seen_at']));
  expect(waited).toBeGreaterThanOrEqual(MISSING_AFTER_MILLISECONDS);
  expect(fleet.filter(({ health }) => health === 'missing')).toHaveLength(1);

  // Both others want it; one gets it, with what it needs to know.
  const { handoff_id } = handoff;
  const claims = await Promise.all(
    [second, third].map(async (agent) => ({
      agent,
      answer: await client.rpc('handoff/claim', { handoff_id }, agent.headers),
    })),
  );
  const [winner, ...others] = claims.filter(({ answer }) => 'result' in answer.body);
  if (winner === undefined) throw new Error('No claim succeeded.');
  expect(others).toEqual([]);
  const loser = claims.find((each) => each !== winner);
  expect(loser && errorOf(loser.answer).data).toMatchObject({ details: { reason: 'already_claimed' } });
  const { lease_token, handoff_packet } = resultOf(winner.answer);
  const packet = handoff_packet as Json & { evidence: Record<string, { text: string }[]> };
  expect(packet).toMatchObject({
    agent_id: 'runner-1',
    exact_next_action: 'migrate batch 4',
    handoff_confidence: 'high',
  });
  expect(packet.evidence['done']?.map(({ text }) => text)).toEqual(['batch 1', 'batch 2', 'batch 3']);
  expect(packet.evidence['remaining']?.map(({ text }) => text)).toEqual([`batches 4 to ${BATCHES}`]);

  // It goes on where the packet says. The hub is killed under it, and comes back.
  const successor = startWorker({
    ...work,
    agentId: winner.agent.agentId,
    headers: winner.agent.headers,
    first: Number(/batch (\d+)/.exec(String(packet['exact_next_action']))?.[1]),
    lease: { handoff_id, lease_token },
  });
  await successor.printed(/reported batch 5\./);
  await hub.kill();
  hub = await startHub();
  expect(await successor.ended, successor.output()).toBe(0);

  // Each batch was migrated once, by one of the two, and reported once.
  const by = (batch: number): string => (batch <= 3 ? first : winner.agent).agentId;
  const batches = Array.from({ length: BATCHES }, (_, index) => index + 1);
  expect((await readFile(ledger, 'utf8')).trimEnd().split('\n')).toEqual(
    batches.map((batch) => `batch ${batch} by ${by(batch)}`),
  );
  const task = await ask(first, 'GetTask', { id: handoff['task_id'] });
  expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  const history = task['history'] as { role: string; parts: { text?: string }[] }[];
  const reports = history
    .filter(({ role }) => role === 'ROLE_USER')
    .flatMap(({ parts }) => /^Done: batch (\d+)/.exec(parts[0]?.text ?? '')?.[1] ?? []);
  expect(reports).toEqual(batches.map(String));
  expect(await ask(first, 'heartbeat/bundle')).toMatchObject({
    handed_over: [{ handoff_id, status: 'finished' }],
  });
}, 240_000);
