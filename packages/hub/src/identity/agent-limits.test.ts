import { describe, expect, it } from 'vitest';
import { KEYS, OPS } from '../testing/key-authentication.ts';
import { startTestHub } from '../testing/start-test-hub.ts';

const SAYS = { message: { parts: [{ kind: 'text', text: 'hello' }] } };

function limited(limit: string) {
  return {
    status: 429,
    body: {
      error: {
        data: { details: { reason: 'rate_limited', limit }, hint: expect.stringContaining(limit) as string },
      },
    },
  };
}

describe('limits', () => {
  it('are those of the agent, not of its address', async () => {
    const hub = await startTestHub({ settings: { requestsPerMinute: 3, agentRequestsPerMinute: 5 } });
    const [one, other] = [await hub.register('one'), await hub.register('other')];
    for (let call = 0; call < 5; call += 1)
      expect(await hub.rpc('handoff/list', {}, one)).toMatchObject({ status: 200 });
    const refused = await hub.rpc('handoff/list', {}, one);
    expect(refused).toMatchObject(limited('agentRequestsPerMinute'));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await hub.rpc('handoff/list', {}, other)).toMatchObject({ status: 200 });
    // Two registrations and this one came without the headers of an agent.
    expect(await hub.rpc('methods/list', {})).toMatchObject({ status: 200 });
    expect(await hub.rpc('methods/list', {})).toMatchObject(limited('requestsPerMinute'));
  });

  it('of an address count requests with a wrong token', async () => {
    const hub = await startTestHub({ settings: { requestsPerMinute: 3 } });
    const agent = await hub.register('runner');
    const guess = { ...agent, 'x-delx-agent-token': 'guess' };
    for (let call = 0; call < 2; call += 1)
      expect(await hub.rpc('message/send', SAYS, guess)).toMatchObject({ status: 401 });
    expect(await hub.rpc('message/send', SAYS, guess)).toMatchObject(limited('requestsPerMinute'));
    expect(await hub.rpc('message/send', SAYS, agent)).toMatchObject({ status: 200 });
  });

  it('count messages of an agent over all ways to send them', async () => {
    const hub = await startTestHub({ settings: { messagesPerMinute: 2 } });
    const agent = await hub.register('runner');
    const plain = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] } };
    await hub.result('message/send', SAYS, agent);
    await hub.result('SendMessage', plain, { ...agent, 'A2A-Version': '1.0' });
    expect(await hub.rpc('message/send', SAYS, agent)).toMatchObject(limited('messagesPerMinute'));
    expect(await hub.rpc('SendMessage', plain, { ...agent, 'A2A-Version': '1.0' })).toMatchObject(
      limited('messagesPerMinute'),
    );
    expect(await hub.rpc('heartbeat/bundle', {}, agent)).toMatchObject({ status: 200 });
  });

  it('count heartbeats of an agent', async () => {
    const hub = await startTestHub({ settings: { heartbeatsPerMinute: 1 } });
    const agent = await hub.register('runner');
    await hub.result('heartbeat/bundle', {}, agent);
    expect(await hub.rpc('heartbeat/bundle', {}, agent)).toMatchObject(limited('heartbeatsPerMinute'));
  });

  it('count registrations of a caller', async () => {
    const hub = await startTestHub({ authentication: KEYS, settings: { registrationsPerMinute: 2 } });
    for (const agent_id of ['one', 'two']) await hub.result('agents/register', { agent_id }, OPS);
    expect(await hub.rpc('agents/register', { agent_id: 'three' }, OPS)).toMatchObject(
      limited('registrationsPerMinute'),
    );
  });
});
