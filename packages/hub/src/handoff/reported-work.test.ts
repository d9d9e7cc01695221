import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { describe, expect, it } from 'vitest';
import { createResponder } from '../responder/responder.ts';
import { startHubScene, type HubScene, type TestAgent } from '../testing/start-hub-scene.ts';
import { openMemoryStore } from '@holdword/store';
import { Handoffs } from './handoffs.ts';

/** A hub alone, as `holdword hub` runs it: every message is answered at once, and no task stays open. */
async function startAlone(): Promise<HubScene & { crew: TestAgent; one: TestAgent; two: TestAgent }> {
  const store = openMemoryStore();
  const scene = await startHubScene(createResponder({ store }), {
    store,
    settings: { watchSeconds: 1, graceSeconds: 0 },
  });
  const crew = await scene.register('crew');
  const [one, two] = [await scene.register('one', {}, crew), await scene.register('two', {}, crew)];
  return { ...scene, crew, one, two };
}

function says(text: string, more: JsonObject = {}): JsonObject {
  return { message: { parts: [{ kind: 'text', text }] }, ...more };
}

const REPORT = says('Done: batches 1 to 3\nRemaining: batches 4 to 10');
const PLAN =
  'Remaining: tables 5 to 9\nNext: copy --from 5\nDecision: keep the old schema\nRisk: never run copy on table 2 again';

describe('a hub without an agent', () => {
  it('hands over what was reported to exactly one successor, who finishes it', async () => {
    const { call, rejected, one, two, register, crew } = await startAlone();
    await call('message/send', REPORT, one);
    const offer = await call('handoff/offer', { to_agent_id: 'two' }, one);
    expect(offer).toMatchObject({ kind: 'report', status: 'offered' });
    const { handoff_id } = offer;
    expect((await rejected('handoff/offer', {}, one)).details).toMatchObject({
      reason: 'already_offered',
      handoff_id,
    });
    const claimed = await call('handoff/claim', { handoff_id }, two);
    expect(claimed).toMatchObject({
      status: 'claimed',
      handoff_packet: { exact_next_action: 'batches 4 to 10' },
    });
    const lease = { handoff_id, lease_token: claimed['lease_token'] };
    await call('handoff/ack', lease, two);
    const reported = await call(
      'message/send',
      says('Done: batches 4 to 9\nRemaining: batch 10', lease),
      two,
    );
    expect(reported).toMatchObject({ handoff: { status: 'acknowledged' } });
    // What the successor reported is in the session that it continues.
    const { handoff_packet } = await call(
      'message/send',
      says('What should the next agent remember?', { packet: 'handoff_packet' }),
      one,
    );
    expect(handoff_packet).toMatchObject({ exact_next_action: 'batch 10' });
    expect(await call('message/send', says('hello'), one)).toMatchObject({
      handed_over: [{ handoff_id, status: 'acknowledged' }],
    });
    const third = await register('three', {}, crew);
    expect((await rejected('handoff/finish', lease, third)).message).toBe('Hand-off not found.');
    expect(await call('handoff/finish', lease, two)).toMatchObject({ status: 'finished' });
    expect((await rejected('handoff/ack', lease, two)).details).toMatchObject({ reason: 'lease_lost' });
    await call('message/send', REPORT, one);
    expect(await call('handoff/offer', {}, one)).toMatchObject({ status: 'offered' });
  });

  it('answers a report that the successor repeats with its idempotency key as it did before', async () => {
    const { call, rejected, one, two } = await startAlone();
    await call('message/send', REPORT, one);
    const { handoff_id } = await call('handoff/offer', { to_agent_id: 'two' }, one);
    const { lease_token } = await call('handoff/claim', { handoff_id }, two);
    const lease = { handoff_id, lease_token };
    const [first, second] = [says('Done: batch 4', lease), says('Done: batch 5', lease)];
    const [asFirst, asSecond] = [
      { ...two, idempotencyKey: 'batch-4' },
      { ...two, idempotencyKey: 'batch-5' },
    ];
    const { id } = await call('message/send', first, asFirst);
    expect((await call('message/send', first, asFirst))['id']).toBe(id);
    const { id: later } = await call('message/send', second, asSecond);
    expect(later).not.toBe(id);
    const again = await call('message/send', first, asFirst);
    // The work does not go back to the task of the earlier report.
    expect(again).toMatchObject({ id, handoff: { continued_as: later } });
    expect((await rejected('message/send', second, asFirst)).message).toContain('already used');
    await call('handoff/finish', lease, two);
    expect((await call('message/send', second, asSecond))['id']).toBe(later);
    const fresh = { ...two, idempotencyKey: 'batch-6' };
    expect((await rejected('message/send', second, fresh)).details).toMatchObject({ reason: 'lease_lost' });
    const wrong = says('Done: batch 5', { handoff_id, lease_token: 'wrong' });
    expect((await rejected('message/send', wrong, asSecond)).details).toMatchObject({ reason: 'lease_lost' });
  });

  it('offers the work again when the lease of the successor expires', async () => {
    const { call, one, two, pass, register, crew } = await startAlone();
    await call('message/send', REPORT, one);
    const { handoff_id } = await call('handoff/offer', {}, one);
    await call('handoff/claim', { handoff_id }, two);
    pass(3 * 60_000);
    const three = await register('three', {}, crew);
    expect(await call('handoff/claim', { handoff_id }, three)).toMatchObject({ status: 'claimed' });
  });

  it('says what is missing if nothing was reported as open, unless a note describes the work', async () => {
    const { call, rejected, one } = await startAlone();
    expect(await rejected('handoff/offer', {}, one)).toMatchObject({
      code: 'DELX-A2A-1011',
      details: { reason: 'nothing_to_hand_over' },
    });
    await call('message/send', says('hello there'), one);
    const refused = await rejected('handoff/offer', {}, one);
    expect(refused.hint).toContain('Report what is left');
    expect(refused.hint).toContain('a hub next to an agent');
    expect(await call('handoff/offer', { note: 'Watch the queue.' }, one)).toMatchObject({ kind: 'report' });
  });

  it('offers what a missing agent reported to the agents of its controller', async () => {
    const { call, one, two, pass } = await startAlone();
    await call('heartbeat/bundle', { cadence_seconds: 5 }, one);
    await call('message/send', REPORT, one);
    pass(60_000);
    const open = async () => (await call('handoff/list', { filter: 'claimable' }, two))['handoffs'];
    await expect
      .poll(open, { timeout: 10_000 })
      .toMatchObject([{ kind: 'report', agent_id: 'one', offered_by: 'hub' }]);
  });

  it('offers what each session of a missing agent reported as open', async () => {
    const { call, one, two, pass } = await startAlone();
    await call('heartbeat/bundle', { cadence_seconds: 5 }, one);
    const { session_id: older } = await call('message/send', REPORT, one);
    const newer = await call('message/send', says('Remaining: the views', { new_session: true }), one);
    await call('message/send', says('Done: the tables', { new_session: true }), one);
    expect(newer['session_id']).not.toBe(older);
    pass(60_000);
    const open = async () => (await call('handoff/list', { filter: 'claimable' }, two))['handoffs'];
    await expect.poll(open, { timeout: 10_000 }).toHaveLength(2);
    const next = async ({ handoff_id }: JsonObject): Promise<unknown> => {
      const { handoff_packet } = await call('handoff/claim', { handoff_id }, two);
      return asObject(handoff_packet)['exact_next_action'];
    };
    const steps = await Promise.all(((await open()) as JsonObject[]).map(next));
    expect(new Set(steps)).toEqual(new Set(['batches 4 to 10', 'the views']));
  });

  it('offers an older session to its agent, and to the controller that names it', async () => {
    const { call, rejected, one, two, crew } = await startAlone();
    const { session_id } = await call('message/send', REPORT, one);
    await call('message/send', says('hello', { new_session: true }), one);
    expect((await rejected('handoff/offer', { session_id }, two)).details).toMatchObject({
      reason: 'nothing_to_hand_over',
    });
    const offered = await call('handoff/offer', { session_id, to_agent_id: 'two' }, crew);
    expect(offered).toMatchObject({ kind: 'report', agent_id: 'one', offered_by: 'crew' });
    const { handoff_id } = offered;
    await call('handoff/release', { handoff_id }, crew);
    expect(await call('handoff/offer', {}, one)).toMatchObject({ kind: 'report', agent_id: 'one' });
  });

  it('keeps the plan of a session however many messages follow it', async () => {
    const { call, one, two, pass } = await startAlone();
    await call('heartbeat/bundle', { cadence_seconds: 5 }, one);
    await call('message/send', says(PLAN), one);
    for (let row = 1; row <= 110; row += 1) await call('message/send', says(`Done: row ${row}`), one);
    const { handoff_packet } = await call(
      'message/send',
      says('What should the next agent remember?', { packet: 'handoff_packet' }),
      one,
    );
    const plan = {
      exact_next_action: 'copy --from 5',
      risk_to_watch: 'never run copy on table 2 again',
      evidence: {
        remaining: [{ text: 'tables 5 to 9' }],
        decisions: [{ text: 'keep the old schema' }],
        omitted: { done: 60 },
      },
    };
    expect(handoff_packet).toMatchObject(plan);
    pass(60_000);
    const open = async () => (await call('handoff/list', { filter: 'claimable' }, two))['handoffs'];
    await expect.poll(open, { timeout: 10_000 }).toMatchObject([{ kind: 'report', agent_id: 'one' }]);
    const [offered] = (await open()) as JsonObject[];
    const claimed = await call('handoff/claim', { handoff_id: offered?.['handoff_id'] }, two);
    expect(claimed['handoff_packet']).toMatchObject(plan);
  });

  it('offers the work of a missing agent whose newest message was not understood, and quotes it', async () => {
    const { call, one, two, pass } = await startAlone();
    await call('heartbeat/bundle', { cadence_seconds: 5 }, one);
    await call('message/send', REPORT, one);
    await call('message/send', says('Done: batches 4 to 10\nRemaining: none'), one);
    const odd = 'Huh, the ledger has two rows for each order.';
    await call('message/send', says(odd), one);
    pass(60_000);
    const open = async () => (await call('handoff/list', { filter: 'claimable' }, two))['handoffs'];
    await expect.poll(open, { timeout: 10_000 }).toMatchObject([{ kind: 'report', agent_id: 'one' }]);
    const [offered] = (await open()) as JsonObject[];
    const { handoff_packet } = await call('handoff/claim', { handoff_id: offered?.['handoff_id'] }, two);
    expect(handoff_packet).toMatchObject({
      exact_next_action: `Read what was reported last: "${odd}" Planned before that: nothing was left to do.`,
      handoff_confidence: 'low',
    });
  });

  it('has the files and data of reports among the artifacts', async () => {
    const { call, one } = await startAlone();
    const parts = [
      { kind: 'text', text: 'Remaining: ledgers 3 and 7' },
      { kind: 'file', file: { name: 'recon.csv', mimeType: 'text/csv', bytes: 'YQ==' } },
      { kind: 'data', data: { rows: 3 } },
    ];
    const answer = await call('message/send', { message: { parts }, packet: 'handoff_packet' }, one);
    expect(answer['request_warnings'] ?? []).toEqual([]);
    expect(answer['handoff_packet']).toMatchObject({
      evidence: {
        artifacts: [
          { name: 'recon.csv', parts: [{ kind: 'raw', media_type: 'text/csv', bytes: 1 }] },
          { name: null, parts: [{ kind: 'data' }] },
        ],
      },
    });
  });

  it('keeps the tasks of the session while the work can be claimed', async () => {
    const { call, one, two, store, now } = await startAlone();
    const { id } = await call('message/send', REPORT, one);
    const { handoff_id } = await call('handoff/offer', { to_agent_id: 'two' }, one);
    const forget = (taskId: string) => new Handoffs(store, now).forget(taskId);
    expect(await forget(String(id))).toBe(false);
    await call('handoff/release', { handoff_id }, two);
    expect(await forget(String(id))).toBe(true);
  });
});

it('a hand-off of a task is not finished before its task', async () => {
  const { call, rejected, register } = await startHubScene(async (_turn, sink) =>
    sink.askInput('Which one?'),
  );
  const [one, two] = [await register('one'), await register('two')];
  await call('message/send', says('go'), one);
  const { handoff_id } = await call('handoff/offer', { to_agent_id: 'two' }, one);
  const { lease_token } = await call('handoff/claim', { handoff_id }, two);
  expect((await rejected('handoff/finish', { handoff_id, lease_token }, two)).details).toEqual({
    reason: 'finishes_with_task',
  });
});

it('answers the last message of a successor again after it completed the task', async () => {
  const { call, rejected, register } = await startHubScene(async ({ message }, sink) =>
    message.parts[0]?.text === 'go' ? sink.askInput('Which one?') : sink.complete('The first one is done.'),
  );
  const [one, two] = [await register('one'), await register('two')];
  const { id } = await call('message/send', says('go'), one);
  const { handoff_id } = await call('handoff/offer', { to_agent_id: 'two' }, one);
  const { lease_token } = await call('handoff/claim', { handoff_id }, two);
  const last = says('the first', { handoff_id, lease_token });
  const keyed = { ...two, idempotencyKey: 'last' };
  const answer = await call('message/send', last, keyed);
  expect(answer).toMatchObject({ id, handoff: { status: 'finished' } });
  const again = await call('message/send', last, keyed);
  expect(again).toMatchObject({ id, status: answer['status'], handoff: { status: 'finished' } });
  expect((await rejected('message/send', last, two)).details).toMatchObject({ reason: 'lease_lost' });
});
