import { textOfParts, type JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { Executor } from '@holdword/runtime';
import { describe, expect, test } from 'vitest';
import { startHubScene, type TestAgent, type HubScene } from '../testing/start-hub-scene.ts';
import { startTestHub } from '../testing/start-test-hub.ts';
import type { Evidence } from './evidence/evidence.ts';

/** Is killed in its first turn, and finishes when told to go on. */
const mortal: Executor['execute'] = async (turn, sink) => {
  const text = turn.message.parts[0]?.text ?? '';
  if (text.startsWith('fail')) return sink.fail('No disk space.');
  if (text.startsWith('go on')) return sink.complete('All files are ported.');
  await sink.artifact({ artifactId: 'log', parts: '- [x] first file\nNext: port the second file\n' });
  return sink.status('The agent was killed by SIGKILL without an error message.', {
    state: 'TASK_STATE_FAILED',
    message: { metadata: { exitCode: 'SIGKILL' } },
  });
};

/** The parameters of a text message. */
function say(text: string): JsonObject {
  return { message: { role: 'user', parts: [{ kind: 'text', text }] } };
}

interface Scene extends HubScene {
  readonly boss: TestAgent;
  readonly worker: TestAgent;
  readonly heir: TestAgent;
  readonly other: TestAgent;
  readonly stranger: TestAgent;
  readonly taskId: string;
  /** Offers the worker's task. */
  readonly offer: (params?: JsonObject, by?: TestAgent) => Promise<string>;
  readonly claim: (handoffId: string, by: TestAgent) => Promise<{ handoff_id: string; lease_token: string }>;
}

async function startScene(text = 'Port three files.'): Promise<Scene> {
  const hub = await startHubScene(mortal);
  const boss = await hub.register('boss');
  const worker = await hub.register('worker', {}, boss);
  const heir = await hub.register('heir', { skills: ['porting'] }, boss);
  const other = await hub.register('other', {}, boss);
  // Declares the controller without its token.
  const stranger = await hub.register('stranger', { controller_id: 'boss', skills: ['porting'] });
  const { id } = await hub.call('message/send', say(text), worker);
  return {
    ...hub,
    boss,
    worker,
    heir,
    other,
    stranger,
    taskId: String(id),
    offer: async (params = {}, by = worker) => {
      const { handoff_id } = await hub.call('handoff/offer', { task_id: String(id), ...params }, by);
      return String(handoff_id);
    },
    claim: async (handoffId, by) => {
      const { handoff_id, lease_token } = await hub.call('handoff/claim', { handoff_id: handoffId }, by);
      return { handoff_id: String(handoff_id), lease_token: String(lease_token) };
    },
  };
}

describe('a handed-over task', () => {
  test('keeps its owner and is finished by the agent that claimed it', async () => {
    const { call, rejected, worker, heir, other, taskId, offer } = await startScene();
    const handoffId = await offer();
    const claimed = await call('handoff/claim', { handoff_id: handoffId }, heir);
    expect(claimed).toMatchObject({
      status: 'claimed',
      task_id: taskId,
      agent_id: 'worker',
      handoff_packet: {
        packet_version: 'witness_handoff.v1',
        topic: 'Port three files.',
        exact_next_action: 'port the second file',
        risk_to_watch: 'This error may recur: The agent was killed by SIGKILL without an error message.',
        handoff_confidence: 'high',
        evidence: { task_id: taskId, done: [{ text: 'first file' }] },
      },
    });
    expect(claimed).not.toHaveProperty('refusals');
    expect(await rejected('handoff/claim', { handoff_id: handoffId }, other)).toMatchObject({
      code: 'DELX-A2A-1099',
      details: { reason: 'already_claimed' },
    });
    const lease = { handoff_id: handoffId, lease_token: claimed['lease_token'] };
    expect(await call('handoff/ack', lease, heir)).toMatchObject({ status: 'acknowledged' });
    const answer = await call('message/send', { ...lease, ...say('go on with the second file') }, heir);
    expect(answer).toMatchObject({
      id: taskId,
      canonical_agent_id: 'heir',
      session_id: heir.sessionId,
      handoff: { status: 'finished', handoff_id: handoffId },
    });
    expect(answer).not.toHaveProperty('request_warnings');
    expect(await call('tasks/get', { task_id: taskId }, worker)).toMatchObject({
      status: { state: 'completed' },
    });
    expect(await call('handoff/get', { handoff_id: handoffId }, worker)).toMatchObject({
      status: 'finished',
      refusals: [{ agent_id: 'other', kind: 'late' }],
      refusal_count: 1,
    });
    expect((await rejected('tasks/get', { task_id: taskId }, heir)).code).toBe('DELX-A2A-1011');
  });

  test('that has failed continues as a new task in its context', async () => {
    const { call, store, worker, heir, taskId, offer, claim } = await startScene('fail, please');
    const lease = await claim(await offer(), heir);
    const failedAgain = await call('message/send', { ...lease, ...say('fail once more') }, heir);
    const second = String(failedAgain['id']);
    expect(second).not.toBe(taskId);
    const [began] = await store.readEvents(second, 0, 1);
    expect(JSON.parse(began?.json ?? '')).toMatchObject({
      task: { contextId: worker.sessionId, history: [{ referenceTaskIds: [taskId] }] },
    });
    const done = await call('message/send', { ...lease, ...say('go on') }, heir);
    expect(done).toMatchObject({ handoff: { status: 'finished', continued_as: done['id'] } });
    expect(await call('tasks/get', { task_id: done['id'] }, worker)).toMatchObject({
      status: { state: 'completed' },
    });
  });

  test('can be claimed by another agent when the lease expires', async () => {
    const { call, rejected, pass, worker, heir, other, offer, claim } = await startScene();
    const handoffId = await offer({ lease_seconds: 60 });
    const lost = await claim(handoffId, heir);
    pass(61_000);
    const held = await claim(handoffId, other);
    for (const [method, params] of [
      ['message/send', { ...lost, ...say('go on') }],
      ['handoff/ack', lost],
      ['handoff/release', lost],
      ['message/send', { ...held, ...say('go on') }],
      ['handoff/ack', { handoff_id: handoffId, lease_token: 'guessed' }],
    ] as const) {
      expect((await rejected(method, params, heir)).details).toMatchObject({ reason: 'lease_lost' });
    }
    expect(await call('handoff/get', { handoff_id: handoffId }, worker)).toMatchObject({
      lease: { agent_id: 'other' },
      refusals: [{ agent_id: 'heir', kind: 'lease-lost' }],
    });
  });
});

describe('reading a handed-over task', () => {
  test('its holder can read the task, even when it is done, but no other task of the owner', async () => {
    const { call, rejected, worker, heir, other, taskId, offer, claim } = await startScene();
    const { id: secret } = await call('message/send', say('go on with something else'), worker);
    const lease = await claim(await offer(), heir);
    const state = async (agent: TestAgent) =>
      asObject((await call('tasks/get', { ...lease, task_id: taskId }, agent))['status'])['state'];
    expect(await state(heir)).toBe('input-required');
    await call('message/send', { ...lease, ...say('go on') }, heir);
    expect(await state(heir)).toBe('completed');
    expect((await rejected('tasks/get', { ...lease, task_id: secret }, heir)).code).toBe('DELX-A2A-1011');
    expect((await rejected('tasks/get', { ...lease, task_id: taskId }, other)).details).toEqual({
      reason: 'lease_lost',
    });
    expect((await rejected('tasks/cancel', { ...lease, task_id: taskId }, heir)).code).toBe('DELX-A2A-1012');
  });

  test('its holder fetches each artifact of the packet by the request in it', async () => {
    const hub = await startTestHub({
      executor: {
        card: { name: 'Maker', description: 'Makes tables.', defaultInputModes: ['text/plain', '*/*'] },
        execute: async ({ message }, sink) => {
          const text = textOfParts(message.parts);
          if (text !== 'hello') await sink.artifact({ parts: `table of ${text}` });
          if (text === 'second') await sink.askInput('Which one?');
          else await sink.complete('Secret words.');
        },
      },
    });
    const [owner, heir] = [await hub.register('owner'), await hub.register('heir')];
    const send = (text: string, ...more: JsonObject[]) =>
      hub.result('message/send', { message: { parts: [{ kind: 'text', text }, ...more] } }, owner);
    const data = { kind: 'data', data: { rows: 3 } };
    const file = { kind: 'file', file: { name: 'in.csv', mimeType: 'text/csv', bytes: 'YQ==' } };
    const { id: first } = await send('first', file);
    const { id: talk } = await send('hello');
    await send('second', data);
    const apart = { message: 'first', new_session: true };
    const { id: elsewhere } = await hub.result('message/send', apart, owner);
    const { handoff_id } = await hub.result(
      'handoff/offer',
      {
        to_agent_id: 'heir',
        session_id: (await hub.result('tasks/get', { task_id: first }, owner))['session_id'],
      },
      owner,
    );
    const claimed = await hub.result('handoff/claim', { handoff_id }, heir);
    const lease = { handoff_id, lease_token: claimed['lease_token'] };
    const { artifacts } = asObject(claimed['handoff_packet'])['evidence'] as Evidence;
    const found: unknown[] = [];
    for (const { artifact_id, fetch } of artifacts) {
      const task = await hub.result(fetch.method, { ...fetch.params, ...lease }, heir);
      const made = (task['artifacts'] as JsonObject[]).find((each) => each['artifact_id'] === artifact_id);
      found.push(made?.['parts']);
    }
    expect(found).toHaveLength(4);
    expect(found).toEqual(
      expect.arrayContaining([
        [{ kind: 'text', text: 'table of first' }],
        [expect.objectContaining(file)],
        [{ kind: 'text', text: 'table of second' }],
        [data],
      ]),
    );
    // Of the other tasks of the session it gets no words, and of those without artifacts nothing.
    const other = await hub.result('tasks/get', { id: first, ...lease }, heir);
    expect(JSON.stringify(other)).not.toContain('Secret words');
    for (const [method, id] of [
      ['tasks/get', talk],
      ['tasks/get', elsewhere],
      ['tasks/cancel', first],
    ] as const) {
      const { body } = await hub.rpc(method, { id, ...lease }, heir);
      expect(body, method).toMatchObject({ error: { data: { delx_code: 'DELX-A2A-1011' } } });
    }
  });

  test('a finished task cannot be continued', async () => {
    const { call, rejected, heir, offer, claim } = await startScene();
    const lease = await claim(await offer(), heir);
    await call('message/send', { ...lease, ...say('go on') }, heir);
    const late = await rejected('message/send', { ...lease, ...say('go on') }, heir);
    expect(late.details).toEqual({ reason: 'lease_lost' });
  });
});

describe('who can claim', () => {
  test.each([
    [{}, ['boss', 'heir', 'other']],
    [{ to_skill: 'porting' }, ['heir']],
    [{ to_agent_id: 'other' }, ['other']],
    [{ to_agent_id: 'stranger' }, ['stranger']],
  ])('%j', async (params, expected) => {
    const scene = await startScene();
    const handoffId = await scene.offer(params);
    const mayClaim: string[] = [];
    for (const agent of [scene.boss, scene.worker, scene.heir, scene.other, scene.stranger]) {
      const { handoffs } = await scene.call('handoff/list', {}, agent);
      const listed = (handoffs as JsonObject[]).some((handoff) => handoff['may_claim'] === true);
      const claimed = await scene.claim(handoffId, agent).then(
        () => true,
        () => false,
      );
      expect(listed).toBe(claimed);
      if (!claimed) continue;
      mayClaim.push(agent.agentId);
      const { lease_token } = await scene.claim(handoffId, agent);
      await scene.call('handoff/release', { handoff_id: handoffId, lease_token }, agent);
    }
    expect(mayClaim).toEqual(expected);
  });

  test('for all others the hand-off does not exist', async () => {
    const { rejected, stranger, offer } = await startScene();
    const handoffId = await offer();
    for (const method of ['get', 'claim', 'ack', 'release']) {
      const error = await rejected(
        `handoff/${method}`,
        { handoff_id: handoffId, lease_token: 'x' },
        stranger,
      );
      expect(error.code).toBe('DELX-A2A-1011');
    }
    const unknown = await rejected('handoff/get', { handoff_id: 'none' }, stranger);
    expect(unknown.message).toBe(
      (await rejected('handoff/get', { handoff_id: handoffId }, stranger)).message,
    );
  });
});

describe('who can offer', () => {
  test('the controller, for a missing agent', async () => {
    const { call, boss, offer } = await startScene();
    const handoffId = await offer({}, boss);
    expect(await call('handoff/get', { handoff_id: handoffId }, boss)).toMatchObject({
      offered_by: 'boss',
      agent_id: 'worker',
      refusals: [],
    });
  });

  test('nobody else', async () => {
    const { rejected, heir, stranger, taskId } = await startScene();
    for (const agent of [heir, stranger]) {
      expect((await rejected('handoff/offer', { task_id: taskId }, agent)).code).toBe('DELX-A2A-1011');
    }
    expect((await rejected('handoff/offer', { task_id: taskId })).code).toBe('DELX-A2A-1005');
  });

  test('a task only once, and only if it is not done', async () => {
    const { call, rejected, worker, heir, taskId, offer, claim } = await startScene();
    const handoffId = await offer();
    const again = await rejected('handoff/offer', { task_id: taskId }, worker);
    expect(again.details).toEqual({ reason: 'already_offered', handoff_id: handoffId });
    await call('message/send', { ...(await claim(handoffId, heir)), ...say('go on') }, heir);
    const late = await rejected('handoff/offer', { task_id: taskId }, worker);
    expect(late.details).toMatchObject({ reason: 'task_ended' });
  });

  test('an agent without a controller, only to a named agent', async () => {
    const { call, rejected, stranger } = await startScene();
    await call('message/send', say('Port a file.'), stranger);
    const error = await rejected('handoff/offer', {}, stranger);
    expect(error.details).toEqual({ reason: 'no_controller' });
    expect(await call('handoff/offer', { to_agent_id: 'heir' }, stranger)).toMatchObject({
      offered_to: { agent_id: 'heir' },
      controller_id: null,
    });
  });

  test.each([
    [{ lease_seconds: 1 }, 'lease_seconds'],
    [{ expires_in_seconds: 'long' }, 'expires_in_seconds'],
    [{ to_agent_id: 'a', to_skill: 'b' }, 'to_agent_id and to_skill'],
  ])('%j is rejected', async (params, field) => {
    const { rejected, worker, taskId } = await startScene();
    const error = await rejected('handoff/offer', { task_id: taskId, ...params }, worker);
    expect(error).toMatchObject({ code: 'DELX-A2A-1004', details: { field } });
  });
});

describe('releasing', () => {
  test('the holder gives a reason, which the owner sees', async () => {
    const { call, worker, heir, other, offer, claim } = await startScene();
    const handoffId = await offer();
    const lease = await claim(handoffId, heir);
    await call('handoff/release', { ...lease, reason: 'no access' }, heir);
    expect(await call('handoff/get', { handoff_id: handoffId }, worker)).toMatchObject({
      status: 'offered',
      lease: null,
      refusals: [{ agent_id: 'heir', kind: 'released', reason: 'no access' }],
    });
    await claim(handoffId, other);
  });

  test('an offer to a named agent closes when it declines', async () => {
    const { call, worker, heir, offer } = await startScene();
    const handoffId = await offer({ to_agent_id: 'heir' });
    await call('handoff/release', { handoff_id: handoffId, reason: 'too busy' }, heir);
    expect(await call('handoff/get', { handoff_id: handoffId }, worker)).toMatchObject({
      status: 'declined',
      refusals: [{ agent_id: 'heir', kind: 'declined', reason: 'too busy' }],
    });
    await offer({ to_agent_id: 'other' });
  });

  test('the owner can withdraw the offer, even from its holder', async () => {
    const { call, rejected, worker, heir, offer, claim } = await startScene();
    const handoffId = await offer();
    const lease = await claim(handoffId, heir);
    expect(await call('handoff/release', { handoff_id: handoffId }, worker)).toMatchObject({
      status: 'withdrawn',
    });
    const error = await rejected('message/send', { ...lease, ...say('go on') }, heir);
    expect(error.details).toEqual({ reason: 'lease_lost' });
    const late = await rejected('handoff/claim', { handoff_id: handoffId }, heir);
    expect(late.details).toEqual({ reason: 'handoff_withdrawn' });
  });
});

describe('a packet on request', () => {
  test('describes the work of the session, not the request for the packet', async () => {
    const { call, worker, taskId } = await startScene();
    const { handoff_packet: packet } = await call(
      'message/send',
      say('go on: what should the next agent remember?'),
      worker,
    );
    expect(packet).toMatchObject({
      packet_type: 'witness_handoff',
      session_id: worker.sessionId,
      agent_id: 'worker',
      controller_id: 'boss',
      exact_next_action: 'port the second file',
      response_mode: 'standard',
      evidence: { task_id: taskId },
      earlier_tasks: [],
    });
    expect(asObject(packet)['next_agent_should_remember']).toContain('Done: first file');
  });

  test('lists the earlier tasks of the session with their answers', async () => {
    const { call, worker, taskId } = await startScene();
    const { id } = await call('message/send', say('go on elsewhere'), worker);
    const { handoff_packet: packet } = await call(
      'message/send',
      { ...say('go on'), packet: 'handoff_packet' },
      worker,
    );
    expect(packet).toMatchObject({
      evidence: { task_id: taskId },
      earlier_tasks: [
        {
          task_id: id,
          state: 'TASK_STATE_COMPLETED',
          request: { text: 'go on elsewhere', source: { sequence: 1 } },
          last_words: { text: 'All files are ported.' },
        },
      ],
    });
  });

  test('is omitted unless requested', async () => {
    const { call, worker } = await startScene();
    expect(await call('message/send', say('go on'), worker)).not.toHaveProperty('handoff_packet');
  });
});
