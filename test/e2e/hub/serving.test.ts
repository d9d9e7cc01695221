import { HoldwordProcess } from '@holdword/cli/testing';
import { describe, expect, test } from 'vitest';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { message, errorOf, registerAgent, resultOf } from './hub-agents.ts';
import { startHub } from './start-hub.ts';

watchForLeaks();

test('an embedded hub: the agent answers for the hub and at its own paths', async () => {
  const hub = await startHub({
    command: ['serve', '--hub'],
    words: ['--grpc-port', 'off', '--store', 'memory'],
  });
  try {
    const { headers } = await registerAgent(hub, 'runner-01');
    const result = resultOf(await hub.rpc('message/send', message('echo hello'), headers));
    expect(result).toMatchObject({
      status: { state: 'completed' },
      messages: [{ parts: [{ text: 'hello' }] }],
    });
    const direct = await fetch(`${hub.url}/a2a/rest/message:send`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
      body: JSON.stringify({
        message: { role: 'ROLE_USER', messageId: 'm1', parts: [{ text: 'echo hello' }] },
      }),
    });
    expect(await direct.text()).toContain('TASK_STATE_COMPLETED');
    expect((await hub.get('/.well-known/a2a.json')).body['name']).toBe('Holdword demo agent');
  } finally {
    await hub.stop();
  }
});

test('without --hub there is no hub', async () => {
  const holdword = new HoldwordProcess(['serve', '--port', '0', '--grpc-port', 'off', '--store', 'memory']);
  try {
    const [, url = ''] = await holdword.printed(/card +(http:\S+)\/\.well-known/);
    await holdword.printed(/Press Ctrl-C to stop/);
    expect((await fetch(`${url}/v1/a2a`, { method: 'POST' })).status).toBe(404);
    expect(holdword.output()).not.toContain('/v1/');
  } finally {
    await holdword.stop();
  }
});

test('a session and a token survive a restart', async () => {
  const hub = await startHub();
  const agent = await registerAgent(hub, 'runner-01');
  const again = await hub.restart();
  try {
    const result = resultOf(await again.rpc('message/send', message('Still here?'), agent.headers));
    expect(result['session_id']).toBe(agent.sessionId);
  } finally {
    await again.stop();
  }
});

describe('a server with API keys', () => {
  test('requires a key to register agents, which then need none', async () => {
    const hub = await startHub({ keys: ['ops', 'ada --role operator'] });
    try {
      const stranger = await hub.rpc('agents/register', { agent_id: 'runner-01' });
      expect(stranger.status).toBe(401);
      expect(errorOf(stranger).data).toMatchObject({ details: { reason: 'registration_closed' } });
      const withKey = { Authorization: `Bearer ${hub.keys[0]}` };
      const registered = resultOf(await hub.rpc('agents/register', { agent_id: 'runner-01' }, withKey));
      const { token } = registered['identity_auth'] as { token: string };
      const headers = { 'x-delx-agent-id': 'runner-01', 'x-delx-agent-token': token };
      expect((await hub.rpc('message/send', message('hello'), headers)).status).toBe(200);
      // An operator's key can rotate the agent's token. No key authenticates as the agent.
      const rotate = { agent_id: 'runner-01', rotate_token: true };
      const operator = { Authorization: `Bearer ${hub.keys[1]}` };
      expect(errorOf(await hub.rpc('agents/register', rotate, withKey)).data).toMatchObject({
        details: { reason: 'missing_token' },
      });
      expect(resultOf(await hub.rpc('agents/register', rotate, operator))['identity_auth']).toMatchObject({
        issued_new_token: true,
      });
      const without = await hub.rpc('message/send', message('hello'), {
        ...withKey,
        'x-delx-agent-id': 'runner-01',
      });
      expect(errorOf(without).data).toMatchObject({ details: { reason: 'missing_token' } });
    } finally {
      await hub.stop();
    }
  });

  test('does not listen on a network address without a key', async () => {
    const holdword = new HoldwordProcess(['hub', '--host', '0.0.0.0', '--port', '0', '--store', 'memory']);
    expect(await holdword.ended).toBe(1);
    expect(holdword.output()).toContain('0.0.0.0');
  });
});
