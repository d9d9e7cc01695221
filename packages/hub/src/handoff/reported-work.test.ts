import type { JsonObject } from '@holdword/protocol';
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
    await call('message/send', says('hello'), one);
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
