import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { describe, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';
import type { CallerHeaders } from '../testing/hub-client.ts';

function sessionIn(result: JsonObject): string {
  return String(result['session_id']);
}

async function startSessions(): Promise<{ hub: TestHub; me: CallerHeaders; one: string; other: string }> {
  const hub = await startTestHub();
  const me = await hub.register('runner');
  const one = sessionIn(await hub.result('message/send', { message: 'Remaining: the invoices' }, me));
  const started = await hub.result(
    'message/send',
    { message: 'Remaining: the reports', new_session: true },
    me,
  );
  return { hub, me, one, other: sessionIn(started) };
}

describe('new_session', () => {
  test.each<[string, JsonObject]>([
    ['agents/register', {}],
    ['message/send', { message: 'hello' }],
    ['heartbeat/bundle', {}],
  ])('starts another session with %s, and leaves the first as it is', async (method, params) => {
    const hub = await startTestHub();
    const me = await hub.register('runner');
    const one = sessionIn(await hub.result('message/send', { message: 'hello' }, me));
    const started = await hub.result(method, { ...params, new_session: true }, me);
    const other = sessionIn(started);
    expect(other).not.toBe(one);
    expect(started).toMatchObject({ session_resolution: { source: 'new_session' } });
    for (const session_id of [one, other])
      expect(await hub.result('message/send', { message: 'more', session_id }, me)).toMatchObject({
        session_id,
      });
    const { body } = await hub.get(`/api/v1/status?session_id=${one}`, me);
    expect(body['session']).toMatchObject({ session_id: one, is_active: true });
  });

  test('starts one for each of several requests at once', async () => {
    const hub = await startTestHub();
    const me = await hub.register('runner');
    const started = await Promise.all(
      Array.from({ length: 10 }, () => hub.result('agents/register', { new_session: true }, me)),
    );
    expect(new Set(started.map(sessionIn)).size).toBe(10);
  });

  test("gives the agent's own name to the new session", async () => {
    const hub = await startTestHub();
    const me = await hub.register('runner');
    const send = async (more: JsonObject): Promise<string> =>
      sessionIn(await hub.result('message/send', { message: 'hello', ...more }, me));
    const invoices = await send({ contextId: 'invoices', new_session: true });
    const reports = await send({ contextId: 'reports', new_session: true });
    expect(await send({ contextId: 'invoices' })).toBe(invoices);
    expect(await send({ contextId: 'reports' })).toBe(reports);
    expect(invoices).not.toBe(reports);
  });

  test('is refused together with a session, before anything is stored', async () => {
    const hub = await startTestHub();
    const session = { 'x-delx-session-id': '00000000-0000-4000-8000-000000000000' };
    const params = { agent_id: 'newcomer', new_session: true };
    expect((await hub.rpc('agents/register', params, session)).body).toMatchObject({
      error: { data: { delx_code: 'DELX-A2A-1004', details: { field: 'new_session' } } },
    });
    expect(await hub.result('agents/register', params)).toMatchObject({ new_agent: true });
    const wrong = await hub.rpc('agents/register', { agent_id: 'third', new_session: 'yes' });
    expect(wrong.body).toMatchObject({ error: { data: { details: { field: 'new_session' } } } });
  });
});

describe('of two sessions at once', () => {
  test('each has its own packet', async () => {
    const { hub, me, one, other } = await startSessions();
    for (const [session_id, mine, not] of [
      [one, 'the invoices', 'the reports'],
      [other, 'the reports', 'the invoices'],
    ]) {
      const asking = {
        message: 'What should the next agent remember?',
        packet: 'handoff_packet',
        session_id,
      };
      const packet = asObject((await hub.result('message/send', asking, me))['handoff_packet']);
      expect(packet).toMatchObject({ session_id, exact_next_action: mine });
      expect(JSON.stringify(packet)).not.toContain(not);
    }
  });

  test('one is handed over, and the other stays with its agent', async () => {
    const hub = await startTestHub();
    const [me, heir] = [await hub.register('runner'), await hub.register('heir')];
    const begin = (text: string): Promise<JsonObject> =>
      hub.result('message/send', { message: `ask ${text}`, new_session: true }, me);
    const [given, kept] = [await begin('invoices'), await begin('reports')];
    const offer = { session_id: sessionIn(given), to_agent_id: 'heir' };
    const { handoff_id, task_id } = await hub.result('handoff/offer', offer, me);
    expect(task_id).toBe(given['id']);
    const claimed = await hub.result('handoff/claim', { handoff_id }, heir);
    expect(claimed['handoff_packet']).toMatchObject({ session_id: sessionIn(given) });
    expect(JSON.stringify(claimed)).not.toContain(sessionIn(kept));

    const refused = await hub.rpc('message/send', { message: 'mine', task_id: given['id'] }, me);
    expect(refused.body).toMatchObject({ error: { data: { details: { reason: 'handed_over' } } } });
    expect(await hub.result('message/send', { message: 'mine', task_id: kept['id'] }, me)).toMatchObject({
      status: { state: 'completed' },
    });
    const stolen = { message: 'theirs', task_id: kept['id'] };
    expect((await hub.rpc('message/send', stolen, heir)).body).toHaveProperty('error');
  });
});
