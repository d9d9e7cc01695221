import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { textOfParts, type Artifact, type StreamResponse, type Task } from '@holdword/protocol';
import { applyArtifactUpdate, artifactsById } from '@holdword/protocol/internal';
import { openSqliteStore } from '@holdword/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { message, errorOf, registerAgent, resultOf, type HubAgent } from './hub-agents.ts';
import { startHub, type Json, type RunningHub } from './start-hub.ts';

const AGENT = join(import.meta.dirname, 'agents', 'porting-agent.ts');
const REQUEST = 'Port lexer.c, parser.c and errors.c.';
const PATIENCE = 30_000;

interface Fact {
  text: string;
  by: string;
  source: { task_id: string; sequence: number };
}

interface Evidence {
  task_id: string;
  events: { first: number; last: number; complete: boolean };
  request: Fact;
  done: Fact[];
  remaining: Fact[];
  decisions: Fact[];
  last_error: Fact;
  artifacts: { artifact_id: string; complete: boolean; parts: Json[]; source: Fact['source'] }[];
  exact_next_action: Fact;
  risk_to_watch: Fact;
}

interface Claim {
  lease_token: string;
  handoff_packet: Json & { evidence: Evidence };
}

watchForLeaks();
let data: TemporaryFolder;
let hub: RunningHub;
let controller: HubAgent;

beforeAll(async () => {
  data = await temporaryFolder();
  hub = await startHub({
    words: ['--data', data.path, '--agent', `exec:"${process.execPath}" "${AGENT}"`],
    agentOptions: { exec: { stream: true } },
  });
  controller = await registerAgent(hub, 'crew');
});
afterAll(async () => {
  await hub.stop();
  await data.remove();
});

/** Registers an agent of the controller. */
async function hire(agentId: string): Promise<HubAgent> {
  const headers = { 'x-delx-controller-token': controller.token };
  const params = { agent_id: agentId, controller_id: controller.agentId };
  const { identity_auth: identity, session_id } = resultOf(await hub.rpc('agents/register', params, headers));
  const { token } = identity as { token: string };
  return {
    agentId,
    token,
    sessionId: String(session_id),
    headers: { 'x-delx-agent-id': agentId, 'x-delx-agent-token': token },
  };
}

async function ask(agent: HubAgent, method: string, params: Json): Promise<Json> {
  return resultOf(await hub.rpc(method, params, agent.headers));
}

/** Sends the request and resolves with its task and the process that works on it. */
async function beginWork(agent: HubAgent): Promise<{ taskId: string; pid: number }> {
  const { id } = await ask(agent, 'message/send', { ...message(REQUEST), blocking: false });
  const taskId = String(id);
  const pid = await waitUntil(
    'the agent to work',
    async () => {
      const { artifacts } = await ask(agent, 'tasks/get', { task_id: taskId });
      return /working as process (\d+)/.exec(JSON.stringify(artifacts))?.[1];
    },
    PATIENCE,
  );
  return { taskId, pid: Number(pid) };
}

async function waitForState(agent: HubAgent, taskId: string, state: string): Promise<void> {
  await waitUntil(
    `the task to be ${state}`,
    async () => {
      const { status } = await ask(agent, 'tasks/get', { task_id: taskId });
      return (status as { state: string }).state === state;
    },
    PATIENCE,
  );
}

/** Reads the journal from disk after the server has stopped. */
async function readJournal(taskId: string): Promise<Map<number, StreamResponse>> {
  const store = await openSqliteStore({ folder: data.path });
  try {
    const events = await store.readEvents(taskId, 0, 10_000);
    return new Map(events.map(({ sequence, json }) => [sequence, JSON.parse(json) as StreamResponse]));
  } finally {
    await store.close();
  }
}

/** The texts and artifacts up to an event, according to the fold of the journal. */
function foldUpTo(
  journal: ReadonlyMap<number, StreamResponse>,
  sequence: number,
): { said: string; made: Artifact[] } {
  const task: Task = { id: '', contextId: '', status: { state: 'TASK_STATE_SUBMITTED' } };
  const artifacts = artifactsById(task);
  const said: string[] = [];
  for (const [number, event] of journal) {
    if (number > sequence) break;
    if ('artifactUpdate' in event) applyArtifactUpdate(task, artifacts, event.artifactUpdate);
    if ('task' in event) said.push(textOfParts(event.task.history?.[0]?.parts ?? []));
    if ('statusUpdate' in event) said.push(textOfParts(event.statusUpdate.status.message?.parts ?? []));
  }
  const made = task.artifacts ?? [];
  return { said: [...said, ...made.map(({ parts }) => textOfParts(parts))].join('\n'), made };
}

test('of ten agents that claim the task of a killed agent, one gets it with the evidence and finishes it', async () => {
  const worker = await hire('runner-a');
  const heirs = await Promise.all(Array.from({ length: 10 }, (_, index) => hire(`heir-${index}`)));
  const { taskId, pid } = await beginWork(worker);
  process.kill(pid, 'SIGKILL');
  await waitForState(worker, taskId, 'input-required');
  const { handoff_id } = await ask(controller, 'handoff/offer', { task_id: taskId });

  const answers = await Promise.all(
    heirs.map(async (heir) => ({
      heir,
      answer: await hub.rpc('handoff/claim', { handoff_id }, heir.headers),
    })),
  );
  const winners = answers.filter(({ answer }) => answer.body['result'] !== undefined);
  const losers = answers.filter(({ answer }) => answer.body['error'] !== undefined);
  expect(winners).toHaveLength(1);
  expect(losers.map(({ answer }) => errorOf(answer).data['details'])).toEqual(
    losers.map(() => ({ reason: 'already_claimed', lease_until: expect.any(String) })),
  );
  const [winner] = winners;
  if (winner === undefined) throw new Error('No claim succeeded.');
  const { lease_token, handoff_packet: packet } = resultOf(winner.answer) as Json & Claim;
  expect(packet).toMatchObject({
    packet_version: 'witness_handoff.v1',
    agent_id: 'runner-a',
    controller_id: 'crew',
    topic: REQUEST,
    exact_next_action: 'port parser.c, beginning with parse_list',
    risk_to_watch: 'parse_list recurses without a limit',
    handoff_confidence: 'high',
  });

  const lease = { handoff_id, lease_token };
  await ask(winner.heir, 'handoff/ack', lease);
  const stolen = await hub.rpc('message/send', { ...lease, ...message('Go on.') }, losers[0]?.heir.headers);
  expect(errorOf(stolen).data).toMatchObject({ details: { reason: 'lease_lost' } });
  const next = message(`Go on: ${String(packet['exact_next_action'])}.`);
  expect(await ask(winner.heir, 'message/send', { ...lease, ...next })).toMatchObject({
    id: taskId,
    handoff: { status: 'finished', task_id: taskId },
  });
  expect(await ask(worker, 'tasks/get', { task_id: taskId })).toMatchObject({
    status: { state: 'completed' },
  });
  const offered = await ask(controller, 'handoff/get', { handoff_id });
  expect(offered).toMatchObject({ status: 'finished', refusal_count: 9 });
  const refused = (offered['refusals'] as Json[]).map(({ agent_id }) => agent_id);
  expect(new Set(refused)).toEqual(new Set(losers.map(({ heir }) => heir.agentId)));

  await hub.process.stop();
  const journal = await readJournal(taskId);
  const { evidence } = packet;
  expect(evidence).toMatchObject({ task_id: taskId, events: { first: 1, complete: true } });
  expect(evidence.done.map(({ text }) => text)).toEqual(['port lexer.c']);
  expect(evidence.remaining.map(({ text }) => text)).toEqual(['port parser.c', 'port errors.c']);
  expect(evidence.last_error.text).toContain('SIGKILL');
  const facts = [
    evidence.request,
    ...evidence.done,
    ...evidence.remaining,
    ...evidence.decisions,
    evidence.last_error,
    evidence.exact_next_action,
    evidence.risk_to_watch,
  ];
  for (const { text, source } of facts) {
    expect(source.task_id).toBe(taskId);
    expect(foldUpTo(journal, source.sequence).said).toContain(text);
    expect(foldUpTo(journal, source.sequence - 1).said).not.toContain(text);
  }
  expect(evidence.artifacts).toHaveLength(1);
  for (const { artifact_id, parts, source } of evidence.artifacts) {
    const held = foldUpTo(journal, source.sequence).made.find(({ artifactId }) => artifactId === artifact_id);
    expect(parts).toEqual(
      held?.parts.map(({ text = '' }) => ({
        kind: 'text',
        media_type: null,
        bytes: Buffer.byteLength(text),
        sha256: createHash('sha256').update(text).digest('hex'),
      })),
    );
  }
}, 120_000);

test('after a hub is killed with its agent, the task is still open, and a successor finishes it', async () => {
  hub = await hub.restart();
  const worker = await hire('runner-b');
  const heir = await hire('heir-b');
  const { taskId } = await beginWork(worker);
  await hub.process.kill();
  hub = await hub.restart();
  await waitForState(worker, taskId, 'input-required');
  const { handoff_id } = await ask(worker, 'handoff/offer', { task_id: taskId, to_agent_id: 'heir-b' });
  const { lease_token, handoff_packet: packet } = (await ask(heir, 'handoff/claim', {
    handoff_id,
  })) as Json & Claim;
  expect(packet.evidence).toMatchObject({
    done: [{ text: 'port lexer.c' }],
    artifacts: [{ complete: false }],
    last_error: { text: expect.stringContaining('The server stopped while the agent was working') },
  });
  const lease = { handoff_id, lease_token };
  expect(await ask(heir, 'message/send', { ...lease, ...message('Go on.') })).toMatchObject({
    id: taskId,
    status: { state: 'completed' },
    handoff: { status: 'finished' },
  });
}, 120_000);
