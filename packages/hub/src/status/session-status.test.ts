import { asObject } from '@holdword/protocol/internal';
import { describe, expect, it } from 'vitest';
import { createResponder } from '../responder/responder.ts';
import { startTestHub } from '../testing/start-test-hub.ts';

const UUID = '00000000-0000-4000-8000-000000000000';

async function startWithSession(settings = {}) {
  const hub = await startTestHub({ settings });
  const headers = await hub.register('runner');
  const params = { text: 'wait', blocking: false };
  const { session_id: sessionId } = await hub.result('message/send', params, headers);
  return { hub, headers, sessionId: String(sessionId) };
}

describe('GET /api/v1/status', () => {
  it('shows the owner the status of the session', async () => {
    const { hub, headers, sessionId } = await startWithSession();
    const { status, body } = await hub.get(`/api/v1/status?session_id=${sessionId}`, headers);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ok',
      service: 'holdword-hub',
      links: { a2a_endpoint: `${hub.url}/v1/a2a` },
      session: {
        session_id: sessionId,
        agent_id: 'runner',
        ttl_remaining_seconds: 7 * 24 * 60 * 60,
        pending_outcomes: 1,
        is_active: true,
        session_age_thresholds_seconds: { warmup: 300, reengage: 1800, summary: 21600, close: 86400 },
      },
    });
  });

  it('counts advised steps whose result is not reported as pending', async () => {
    const hub = await startTestHub({ executor: (store) => createResponder({ store }) });
    const headers = await hub.register('runner');
    const pendingAfter = async (text: string): Promise<unknown> => {
      const { session_id: sessionId } = await hub.result('message/send', { message: text }, headers);
      const { body } = await hub.get(`/api/v1/status?session_id=${String(sessionId)}`, headers);
      return asObject(body['session'])['pending_outcomes'];
    };
    expect(await pendingAfter('hello')).toBe(0);
    expect(await pendingAfter('We are stuck in a retry storm (429).')).toBe(1);
    expect(await pendingAfter('Thank you.')).toBe(1);
    expect(await pendingAfter('That worked.')).toBe(0);
  });

  it('reads the session from the header, or the latest session of the agent', async () => {
    const { hub, headers, sessionId } = await startWithSession();
    const byHeader = await hub.get('/api/v1/status', { ...headers, 'x-delx-session-id': sessionId });
    const byAgent = await hub.get('/api/v1/status?agent_id=runner', headers);
    for (const { body } of [byHeader, byAgent])
      expect(body).toMatchObject({ session: { session_id: sessionId, agent_id: 'runner' } });
  });

  it('changes nothing', async () => {
    const { hub, headers, sessionId } = await startWithSession();
    const before = await hub.store.listRecords('hub-sessions');
    hub.clock.now += 60 * 60_000;
    await hub.get(`/api/v1/status?session_id=${sessionId}`, headers);
    await hub.get(`/api/v1/status?session_id=${UUID}`, headers);
    await hub.get('/api/v1/status?agent_id=runner', headers);
    expect(await hub.store.listRecords('hub-sessions')).toEqual(before);
  });

  it('shows counts but no agent to callers that know only the id', async () => {
    const { hub, sessionId } = await startWithSession();
    for (const headers of [{}, { 'user-agent': 'OpenClaw/2026.11' }]) {
      const { body } = await hub.get(`/api/v1/status?session_id=${sessionId}`, headers);
      expect(body).toMatchObject({ session: { session_id: sessionId, pending_outcomes: 1 } });
      expect(JSON.stringify(body)).not.toContain('runner');
    }
  });

  it('hides the status from strangers if publicStatus is off', async () => {
    const { hub, headers, sessionId } = await startWithSession({ publicStatus: false });
    expect(await hub.get(`/api/v1/status?session_id=${sessionId}`)).toMatchObject({ status: 404 });
    expect(await hub.get(`/api/v1/status?session_id=${sessionId}`, headers)).toMatchObject({ status: 200 });
  });

  it("treats another agent's session as nonexistent", async () => {
    const { hub, headers, sessionId } = await startWithSession();
    const other = await hub.register('other');
    const impostor = { ...other, 'x-delx-agent-id': 'runner' };
    const answers = await Promise.all([
      hub.get(`/api/v1/status?session_id=${UUID}`, headers),
      hub.get(`/api/v1/status?session_id=${sessionId}`, other),
      hub.get(`/api/v1/status?session_id=${sessionId}`, impostor),
      hub.get(`/api/v1/status?session_id=${sessionId}`, { 'x-delx-agent-id': 'runner' }),
    ]);
    const [unknown] = answers;
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'session_not_found' } } });
    for (const answer of answers) expect(answer.body).toEqual(unknown?.body);
    for (const headersOfStranger of [other, impostor, {}]) {
      const { body } = await hub.get('/api/v1/status?agent_id=runner', headersOfStranger);
      expect(body).toMatchObject({ session: { note: expect.stringContaining('token') } });
    }
  });

  it('rejects missing and malformed ids', async () => {
    const { hub } = await startWithSession();
    expect(await hub.get('/api/v1/status')).toMatchObject({
      status: 400,
      body: { error: { code: 'DELX-1001' } },
    });
    expect(await hub.get('/api/v1/status?session_id=demo')).toMatchObject({
      status: 400,
      body: { error: { code: 'DELX-1004' } },
    });
  });

  it('supports only GET', async () => {
    const { hub } = await startWithSession();
    const response = await fetch(`${hub.url}/api/v1/status`, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
