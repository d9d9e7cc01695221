import { textOfParts, type JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { describe, expect, test } from 'vitest';
import { answeringExecutor } from '../testing/answering-executor.ts';
import type { CallerHeaders } from '../testing/hub-client.ts';
import { startHubScene, type HubScene, type TestAgent } from '../testing/start-hub-scene.ts';
import { startTestHub } from '../testing/start-test-hub.ts';

interface Scene extends HubScene {
  readonly owner: TestAgent;
  readonly heir: TestAgent;
  readonly taskId: string;
  readonly handoffId: string;
  /** The parameters with which the successor acts. */
  readonly lease: JsonObject;
}

/** A waiting task, or one that failed, that its successor has claimed. */
async function startHandedOver(text = 'ask which'): Promise<Scene> {
  const hub = await startHubScene(answeringExecutor);
  const owner = await hub.register('owner');
  const heir = await hub.register('heir');
  const { id } = await hub.call('message/send', { message: text }, owner);
  const offered = await hub.call('handoff/offer', { task_id: id, to_agent_id: 'heir' }, owner);
  const { handoff_id, lease_token } = await hub.call(
    'handoff/claim',
    { handoff_id: offered['handoff_id'] },
    heir,
  );
  const handoffId = String(handoff_id);
  return { ...hub, owner, heir, taskId: String(id), handoffId, lease: { handoff_id, lease_token } };
}

describe('while a successor holds the task, its owner', () => {
  test.each([
    ['message/send', { message: 'the red one' }],
    ['tasks/cancel', {}],
  ])('is refused by %s, and told who holds it and how to get it back', async (method, params) => {
    const { rejected, call, owner, heir, taskId, handoffId, lease } = await startHandedOver();
    const error = await rejected(method, { ...params, task_id: taskId }, owner);
    expect(error.code).toBe('DELX-A2A-1099');
    expect(error.details).toEqual({
      reason: 'handed_over',
      handoff_id: handoffId,
      task_id: taskId,
      held_by: 'heir',
      lease_until: expect.any(String),
      take_back: { method: 'handoff/release', params: { handoff_id: handoffId } },
    });
    expect(await call('message/send', { ...lease, message: 'the red one' }, heir)).toMatchObject({
      id: taskId,
      status: { state: 'completed' },
    });
  });

  test('is refused for the new task that continues a failed one', async () => {
    const { rejected, call, owner, heir, lease } = await startHandedOver('fail now');
    const { id } = await call('message/send', { ...lease, message: 'ask again' }, heir);
    const error = await rejected('message/send', { message: 'mine', task_id: id }, owner);
    expect(error.details).toMatchObject({ reason: 'handed_over', held_by: 'heir' });
  });

  test('can take the task back, which ends the lease', async () => {
    const { call, rejected, owner, heir, taskId, handoffId, lease } = await startHandedOver();
    await call('handoff/release', { handoff_id: handoffId }, owner);
    const late = await rejected('message/send', { ...lease, message: 'the red one' }, heir);
    expect(late.details).toMatchObject({ reason: 'lease_lost' });
    const params = { message: 'the red one', task_id: taskId };
    expect(await call('message/send', params, owner)).toMatchObject({ status: { state: 'completed' } });
  });

  test('is free again when the lease has expired', async () => {
    const { call, pass, owner, taskId } = await startHandedOver();
    pass(10 * 60_000);
    const params = { message: 'the red one', task_id: taskId };
    expect(await call('message/send', params, owner)).toMatchObject({ status: { state: 'completed' } });
  });

  test('sees the holder with tasks/get, as the holder does', async () => {
    const { call, owner, heir, taskId, lease } = await startHandedOver();
    const held = { handoff: { status: 'claimed', lease: { agent_id: 'heir' } } };
    expect(await call('tasks/get', { task_id: taskId }, owner)).toMatchObject(held);
    expect(await call('tasks/get', lease, heir)).toMatchObject({ id: taskId, ...held });
  });

  test.each([
    ['SendMessage', '1.0', -32004],
    ['SendStreamingMessage', '1.0', -32004],
    ['CancelTask', '1.0', -32002],
    ['message/send', '0.3', -32004],
    ['message/stream', '0.3', -32004],
    ['tasks/cancel', '0.3', -32002],
  ])('is refused by %s of A2A %s', async (method, version, code) => {
    const hub = await startTestHub();
    const owner = await hub.register('owner');
    const heir = await hub.register('heir');
    const { id } = await hub.result('message/send', { message: 'ask which' }, owner);
    const { handoff_id } = await hub.result('handoff/offer', { to_agent_id: 'heir' }, owner);
    await hub.result('handoff/claim', { handoff_id }, heir);
    const parts = version === '1.0' ? [{ text: 'the red one' }] : [{ kind: 'text', text: 'the red one' }];
    const role = version === '1.0' ? 'ROLE_USER' : 'user';
    const params = /cancel/i.test(method)
      ? { id }
      : {
          message: {
            messageId: 'm1',
            role,
            parts,
            taskId: id,
            ...(version === '0.3' && { kind: 'message' }),
          },
        };
    const { body } = await hub.rpc(method, params, { ...owner, 'A2A-Version': version });
    expect(body['error']).toMatchObject({ code, message: expect.stringContaining('heir holds it until') });
    expect(await hub.result('tasks/get', { task_id: id }, owner)).toMatchObject({
      status: { state: 'input-required' },
    });
  });
});

describe('a successor', () => {
  test.each([
    ['with the id of the task', true],
    ['without it', false],
  ])('can cancel, %s', async (_how, named) => {
    const { call, owner, heir, taskId, lease } = await startHandedOver();
    const params = { ...lease, ...(named && { task_id: taskId }) };
    expect(await call('tasks/cancel', params, heir)).toMatchObject({
      id: taskId,
      status: { state: 'canceled' },
      handoff: { status: 'finished' },
    });
    expect(await call('tasks/get', { task_id: taskId }, owner)).toMatchObject({
      status: { state: 'canceled' },
    });
  });

  test('cannot cancel another task of the owner, nor with a guessed token', async () => {
    const { call, rejected, owner, heir, handoffId, lease } = await startHandedOver();
    const { id } = await call('message/send', { message: 'ask more' }, owner);
    expect((await rejected('tasks/cancel', { ...lease, task_id: id }, heir)).code).toBe('DELX-A2A-1011');
    const guess = { handoff_id: handoffId, lease_token: 'guess' };
    expect((await rejected('tasks/cancel', guess, heir)).details).toMatchObject({ reason: 'lease_lost' });
  });

  test('cannot be the owner of the task', async () => {
    const hub = await startHubScene(answeringExecutor);
    const boss = await hub.register('boss');
    const owner = await hub.register('owner', {}, boss);
    await hub.call('message/send', { message: 'ask which' }, owner);
    const self = await hub.rejected('handoff/offer', { to_agent_id: 'owner' }, owner);
    expect(self.details).toEqual({ field: 'to_agent_id' });
    const { handoff_id, may_claim } = await hub.call('handoff/offer', {}, owner);
    expect(may_claim).toBe(false);
    const claim = await hub.rejected('handoff/claim', { handoff_id }, owner);
    expect(claim.details).toMatchObject({ reason: 'own_task' });
  });
});

describe('an agent that is back', () => {
  const CALLS: [string, JsonObject][] = [
    ['message/send', { message: 'hello' }],
    ['message/send', { message: 'hello', minimal_response: true }],
    ['heartbeat/bundle', {}],
    ['agents/register', {}],
  ];

  test.each(CALLS)('is told by %s %j what was given away', async (method, params) => {
    const { call, owner, handoffId, taskId } = await startHandedOver();
    const given = [
      { handoff_id: handoffId, task_id: taskId, status: 'claimed', lease: { agent_id: 'heir' } },
    ];
    expect((await call(method, params, owner))['handed_over']).toMatchObject(given);
    expect((await call(method, params, owner))['handed_over']).toMatchObject(given);
  });

  test('is told once that its successor has finished', async () => {
    const { call, owner, heir, lease } = await startHandedOver();
    await call('message/send', { ...lease, message: 'the red one' }, heir);
    const first = await call('message/send', { message: 'hello' }, owner);
    expect(first['handed_over']).toMatchObject([{ status: 'finished', take_back: null }]);
    expect(await call('message/send', { message: 'hello' }, owner)).not.toHaveProperty('handed_over');
  });

  test('is told that its controller offered the task', async () => {
    const hub = await startHubScene(answeringExecutor);
    const boss = await hub.register('boss');
    const owner = await hub.register('owner', {}, boss);
    const { id } = await hub.call('message/send', { message: 'ask which' }, owner);
    await hub.call('handoff/offer', { task_id: id }, boss);
    const { handed_over } = await hub.call('heartbeat/bundle', {}, owner);
    expect(asObject((handed_over as unknown[])[0])).toMatchObject({ status: 'offered', offered_by: 'boss' });
  });
});

/** A task whose first turn runs until `finish`, and which its successor claims meanwhile. */
async function startBusy() {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const turns: string[] = [];
  const hub = await startTestHub({
    executor: {
      async execute({ message }, sink) {
        turns.push(textOfParts(message.parts));
        if (turns.length > 1) return sink.askInput('And now?');
        await sink.status('Working.');
        await finished;
        await sink.askInput('Which one?');
      },
    },
  });
  const owner = await hub.register('owner');
  const heir = await hub.register('heir');
  const { id } = await hub.result('message/send', { message: 'begin', blocking: false }, owner);
  const claim = async (agent: CallerHeaders): Promise<JsonObject> => {
    const to = agent['x-delx-agent-id'];
    const { handoff_id } = await hub.result('handoff/offer', { task_id: id, to_agent_id: to }, owner);
    const { lease_token } = await hub.result('handoff/claim', { handoff_id }, agent);
    return { handoff_id, lease_token };
  };
  return { hub, owner, heir, id, claim, finish, turns };
}

describe('a message that waits for the turn before it', () => {
  test.each([
    ['message/send', {}, 'message/send'],
    ['SendMessage', { 'A2A-Version': '1.0' }, 'SendMessage'],
  ])('of the owner, by %s, is refused once a successor holds the task', async (_name, version, method) => {
    const { hub, owner, heir, id, claim, finish, turns } = await startBusy();
    const message =
      method === 'SendMessage'
        ? { message: { messageId: 'm2', role: 'ROLE_USER', parts: [{ text: 'mine' }], taskId: id } }
        : { message: 'mine', task_id: id };
    const waiting = hub.rpc(method, message, { ...owner, ...version });
    // Admitted after the check that every message passes at once: the store has been asked for the task.
    await hub.result('tasks/get', { task_id: id }, owner);
    const lease = await claim(heir);
    const going = hub.result('message/send', { ...lease, message: 'theirs' }, heir);
    finish();
    expect((await waiting).body['error']).toMatchObject({
      message: expect.stringContaining('heir holds it until'),
    });
    expect(await going).toMatchObject({ status: { state: 'input-required' } });
    expect(turns).toEqual(['begin', 'theirs']);
  });

  test('of a successor is refused once its lease has expired and another has claimed the task', async () => {
    const { hub, owner, heir, id, claim, finish, turns } = await startBusy();
    const lease = await claim(heir);
    const waiting = hub.rpc('message/send', { ...lease, message: 'theirs' }, heir);
    await hub.result('tasks/get', { task_id: id }, owner);
    await hub.result('handoff/release', { handoff_id: lease['handoff_id'] }, owner);
    const other = await hub.register('other');
    const next = await claim(other);
    const going = hub.result('message/send', { ...next, message: 'of the other' }, other);
    finish();
    expect((await waiting).body['error']).toMatchObject({ data: { details: { reason: 'lease_lost' } } });
    expect(await going).toMatchObject({ status: { state: 'input-required' } });
    expect(turns).toEqual(['begin', 'of the other']);
  });
});
