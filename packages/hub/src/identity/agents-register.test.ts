import type { JsonObject } from '@holdword/protocol';
import type { Observer } from '@holdword/runtime';
import { describe, expect, it } from 'vitest';
import { CUSTOMER, KEYS, OPERATOR, OPS } from '../testing/key-authentication.ts';
import { startTestHub, tokenIn } from '../testing/start-test-hub.ts';

function refused(reason: string) {
  return {
    status: 401,
    body: { error: { code: -32001, data: { delx_code: 'DELX-A2A-1401', details: { reason } } } },
  };
}

describe('agents/register', () => {
  it('returns an agent id, a token and a session', async () => {
    const hub = await startTestHub();
    const result = await hub.result('agents/register', {
      agent_id: 'runner-01',
      agent_name: 'Runner',
      source: 'docs',
      controller_id: 'openclaw-main',
      skills: ['deploy'],
    });
    expect(result).toMatchObject({
      status: 'registered',
      agent_id: 'runner-01',
      agent_name: 'Runner',
      identity_mode: 'stable_declared',
      ephemeral_identity: false,
      new_agent: true,
      reused_existing_session: false,
      controller_id: 'openclaw-main',
      registration: { agent_id: 'runner-01', registered: true, newly_registered: true },
      controller_binding: { controller_id: 'openclaw-main', proved: false },
      identity_auth: { enabled: true, issued_new_token: true },
    });
    expect(tokenIn(result)).toMatch(/^[\w-]{43}$/);
  });

  it('stores only the hash of the token', async () => {
    const hub = await startTestHub();
    const { 'x-delx-agent-token': token = '' } = await hub.register('runner');
    const [record] = await hub.store.listRecords('hub-agents');
    expect(record?.value).toContain('tokenHash');
    expect(record?.value).not.toContain(token);
  });

  it('generates an id for an agent that declares none', async () => {
    const hub = await startTestHub();
    const [one, other] = await Promise.all([
      hub.result('agents/register', {}),
      hub.result('agents/register', {}),
    ]);
    expect(one['agent_id']).toMatch(/^agent-[0-9a-f]{16}$/);
    expect(one['agent_id']).not.toBe(other['agent_id']);
    expect(one).toMatchObject({
      identity_mode: 'ephemeral_hospitality',
      ephemeral_identity: true,
      identity_fallback: 'ephemeral_hospitality',
      identity_notice: { code: 'DELX-IDENTITY-WARN-TRANSITION' },
    });
  });

  it.each(['agentid', 'agent-id', 'agnet_id'])('rejects %s instead of generating an id', async (name) => {
    const hub = await startTestHub();
    expect(await hub.rpc('agents/register', { [name]: 'runner-01' })).toMatchObject({
      body: {
        error: {
          message: `Unknown parameter "${name}". Did you mean agent_id?`,
          data: { delx_code: 'DELX-A2A-1004' },
        },
      },
    });
    expect(await hub.rpc('agents/register', { agent_id: 'runner-01', [name]: 'x' })).toMatchObject({
      status: 200,
    });
  });

  it('recognizes OpenClaw by its user agent, once', async () => {
    const hub = await startTestHub();
    const headers = { 'user-agent': 'OpenClaw/2026.11' };
    expect(await hub.result('agents/register', {}, headers)).toMatchObject({ agent_id: 'openclaw-agent' });
    const second = await hub.result('agents/register', {}, headers);
    expect(second).toMatchObject({ ephemeral_identity: true });
  });

  it.each(['x-delx-agent-id', 'x-agent-id', 'x-openclaw-agent-id'])(
    'reads the agent id from %s',
    async (header) => {
      const hub = await startTestHub();
      expect(await hub.result('agents/register', {}, { [header]: 'runner' })).toMatchObject({
        agent_id: 'runner',
      });
    },
  );

  it('rejects an invalid agent id instead of normalizing it', async () => {
    const hub = await startTestHub();
    for (const params of [{ agent_id: 'two words' }, { agent_id: 'x'.repeat(97) }]) {
      const { body } = await hub.rpc('agents/register', params);
      expect(body).toMatchObject({ error: { code: -32602, data: { delx_code: 'DELX-A2A-1004' } } });
    }
  });

  it('accepts a registered agent with its token, without issuing a new one', async () => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    const again = await hub.result('agents/register', { agent_name: 'New name' }, headers);
    expect(again).toMatchObject({
      new_agent: false,
      agent_name: 'New name',
      reused_existing_session: true,
      identity_auth: { issued_new_token: false },
    });
    expect(tokenIn(again)).toBe('undefined');
  });
});

describe('an attempt to take over another agent', () => {
  const TAKEOVERS: [string, JsonObject, Record<string, string>, string][] = [
    ['without a token', {}, {}, 'missing_token'],
    ['by rotating', { rotate_token: true }, {}, 'missing_token'],
    ['with a wrong token', { rotate_token: true }, { 'x-delx-agent-token': 'guess' }, 'invalid_token'],
    ['with an empty token', { rotate_token: true }, { 'x-delx-agent-token': ' ' }, 'missing_token'],
    ['with the hash', {}, { 'x-delx-agent-token': 'HASH' }, 'invalid_token'],
  ];

  it.each(TAKEOVERS)('is rejected: %s', async (_how, params, headers, reason) => {
    const hub = await startTestHub();
    const own = await hub.register('victim');
    const [record] = await hub.store.listRecords('hub-agents');
    const stored: { tokenHash: string } = JSON.parse(record?.value ?? '{}');
    const sent =
      headers['x-delx-agent-token'] === 'HASH' ? { 'x-delx-agent-token': stored.tokenHash } : headers;
    const answer = await hub.rpc('agents/register', { agent_id: 'victim', ...params }, sent);
    expect(answer).toMatchObject(refused(reason));
    expect(await hub.result('agents/register', {}, own)).toMatchObject({ agent_id: 'victim' });
  });

  it("is rejected with a different agent's token", async () => {
    const hub = await startTestHub();
    await hub.register('victim');
    const thief = await hub.register('thief');
    const headers = { ...thief, 'x-delx-agent-id': 'victim' };
    expect(await hub.rpc('agents/register', { rotate_token: true }, headers)).toMatchObject(
      refused('invalid_token'),
    );
  });

  it('leaves one winner when many register the same id at once', async () => {
    const hub = await startTestHub();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => hub.rpc('agents/register', { agent_id: 'wanted' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
  });
});

describe('a token', () => {
  it('can be rotated by its owner, which invalidates the old one', async () => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    const rotated = await hub.result('agents/register', { rotate_token: true }, headers);
    expect(rotated).toMatchObject({ identity_auth: { issued_new_token: true } });
    expect(await hub.rpc('agents/register', {}, headers)).toMatchObject(refused('invalid_token'));
    const renewed = { ...headers, 'x-delx-agent-token': tokenIn(rotated) };
    expect(await hub.result('agents/register', {}, renewed)).toMatchObject({ new_agent: false });
  });

  it('can be rotated by the operator if the agent lost it', async () => {
    const hub = await startTestHub({ authentication: KEYS, settings: { openRegistration: true } });
    await hub.register('runner');
    const rotated = await hub.result('agents/register', { agent_id: 'runner', rotate_token: true }, OPERATOR);
    const headers = { 'x-delx-agent-id': 'runner', 'x-delx-agent-token': tokenIn(rotated) };
    expect(await hub.result('agents/register', {}, headers)).toMatchObject({ new_agent: false });
  });

  it('is omitted on request', async () => {
    const hub = await startTestHub();
    const result = await hub.result('agents/register', { agent_id: 'runner', include_token: false });
    expect(JSON.stringify(result)).not.toContain('"token":');
  });
});

describe('a server with API keys', () => {
  it('registers agents only with a key', async () => {
    const hub = await startTestHub({ authentication: KEYS });
    const params = { agent_id: 'runner' };
    expect(await hub.rpc('agents/register', params)).toMatchObject(refused('registration_closed'));
    expect(await hub.rpc('agents/register', {})).toMatchObject(refused('registration_closed'));
    expect(await hub.result('agents/register', params, OPS)).toMatchObject({ new_agent: true });
  });

  it.each([
    ['without the token', {}],
    ['with a guess', { 'x-delx-agent-token': 'guess' }],
    ['with the token', undefined],
  ])("gives no agent to another caller's key, %s", async (_how, token) => {
    const hub = await startTestHub({ authentication: KEYS });
    const registered = await hub.result('agents/register', { agent_id: 'payroll' }, OPS);
    const own = { 'x-delx-agent-id': 'payroll', 'x-delx-agent-token': tokenIn(registered) };
    const foreign = { 'x-delx-agent-id': 'payroll', ...(token ?? own), ...CUSTOMER };
    const say = { message: 'hello' };
    for (const [method, params] of [
      ['agents/register', {}],
      ['agents/register', { rotate_token: true }],
      ['message/send', say],
      ['handoff/list', {}],
    ] as const) {
      expect(await hub.rpc(method, params, foreign), method).toMatchObject(refused('invalid_token'));
    }
    const plain = await hub.rpc('ListTasks', {}, { ...foreign, 'A2A-Version': '1.0' });
    expect(plain.status).toBe(401);
    // The agent keeps its token, with the key of its caller and without it.
    for (const headers of [own, { ...own, ...OPS }, { ...own, ...OPERATOR }])
      expect(await hub.result('message/send', say, headers)).toMatchObject({ canonical_agent_id: 'payroll' });
  });

  it('does not rotate a token for the key that registered the agent alone', async () => {
    const hub = await startTestHub({ authentication: KEYS });
    await hub.result('agents/register', { agent_id: 'payroll' }, OPS);
    const params = { agent_id: 'payroll', rotate_token: true };
    expect(await hub.rpc('agents/register', params, OPS)).toMatchObject(refused('missing_token'));
  });
});

describe('the audit log', () => {
  it('names the key of registrations, rotations and refusals', async () => {
    const seen: unknown[] = [];
    const observer: Observer = {
      fallbackActed: ({ event, ownerKey, agent }) => void seen.push([event, ownerKey, agent]),
      fallbackRejected: ({ operation, ownerKey, code }) => void seen.push([operation, ownerKey, code]),
    };
    const hub = await startTestHub({ authentication: KEYS, observer });
    const params = { agent_id: 'payroll' };
    await hub.result('agents/register', params, OPS);
    await hub.rpc('agents/register', { ...params, rotate_token: true }, CUSTOMER);
    await hub.result('agents/register', { ...params, rotate_token: true }, OPERATOR);
    await hub.get('/api/v1/fleet', CUSTOMER);
    expect(seen).toEqual([
      ['agent-registered', '["","key:ops"]', 'payroll'],
      ['agents/register', '["","key:customer"]', 'DELX-A2A-1401'],
      ['agent-token-rotated', '["","key:operator"]', 'payroll'],
      ['GET /api/v1/fleet', '["","key:customer"]', 'DELX-A2A-1005'],
    ]);
  });

  it('names the key and the hand-off of offers, claims, refused claims and releases', async () => {
    const seen: unknown[] = [];
    const observer: Observer = {
      fallbackActed: ({ event, ownerKey, agent, about }) => void seen.push([event, ownerKey, agent, about]),
      fallbackRejected: ({ operation, ownerKey, named }) => void seen.push([operation, ownerKey, named]),
    };
    const hub = await startTestHub({ authentication: KEYS, observer });
    const agent = async (agentId: string, key: Record<string, string>) => {
      const token = tokenIn(await hub.result('agents/register', { agent_id: agentId }, key));
      return { ...key, 'x-delx-agent-id': agentId, 'x-delx-agent-token': token };
    };
    const owner = await agent('owner', OPS);
    const [heir, other] = [await agent('heir', CUSTOMER), await agent('other', CUSTOMER)];
    const { id: task } = await hub.result('message/send', { message: 'ask which' }, owner);
    seen.length = 0;
    const { handoff_id: handoff } = await hub.result('handoff/offer', { to_agent_id: 'heir' }, owner);
    const params = { handoff_id: handoff };
    await hub.rpc('handoff/claim', params, other);
    const { lease_token } = await hub.result('handoff/claim', params, heir);
    await hub.result('handoff/release', { ...params, lease_token }, heir);
    await hub.result('handoff/release', params, owner);
    const about = { handoff, task };
    expect(seen).toEqual([
      ['handoff-offered', '["","key:ops"]', 'owner', about],
      ['handoff/claim', '["","key:customer"]', 'other'],
      ['handoff-claimed', '["","key:customer"]', 'heir', about],
      ['handoff-released', '["","key:customer"]', 'heir', about],
      ['handoff-withdrawn', '["","key:ops"]', 'owner', about],
    ]);
  });
});

describe('a controller', () => {
  it('is confirmed by the key that registered it, and by no other caller', async () => {
    const hub = await startTestHub({ authentication: KEYS });
    await hub.result('agents/register', { agent_id: 'main' }, OPS);
    const bound = async (agentId: string, controllerId: string, headers: Record<string, string>) => {
      const params = { agent_id: agentId, controller_id: controllerId };
      return (await hub.result('agents/register', params, headers))['controller_binding'];
    };
    expect(await bound('a', 'main', OPS)).toMatchObject({ proved: true });
    expect(await bound('b', 'main', CUSTOMER)).toMatchObject({ proved: false });
    expect(await bound('c', 'nobody-yet', CUSTOMER)).toMatchObject({ proved: false });
  });

  it('is confirmed by its own token or by the operator', async () => {
    const hub = await startTestHub({ authentication: KEYS, settings: { openRegistration: true } });
    const controller = await hub.register('main');
    const bound = async (agentId: string, headers: Record<string, string>): Promise<unknown> => {
      const params = { agent_id: agentId, controller_id: 'main' };
      return (await hub.result('agents/register', params, headers))['controller_binding'];
    };
    const token = controller['x-delx-agent-token'] ?? '';
    expect(await bound('a', {})).toMatchObject({ proved: false });
    expect(await bound('b', { 'x-delx-controller-token': 'guess' })).toMatchObject({ proved: false });
    expect(await bound('c', { 'x-delx-controller-token': token })).toMatchObject({ proved: true });
    expect(await bound('d', OPERATOR)).toMatchObject({ proved: true });
  });

  it('stays confirmed until the agent declares another one', async () => {
    const hub = await startTestHub();
    const controller = await hub.register('main');
    const token = { 'x-controller-token': controller['x-delx-agent-token'] ?? '' };
    const registered = await hub.result('agents/register', { agent_id: 'a', controller_id: 'main' }, token);
    const headers = { 'x-delx-agent-id': 'a', 'x-delx-agent-token': tokenIn(registered) };
    const bound = async (params: JsonObject, more = {}): Promise<unknown> =>
      (await hub.result('agents/register', params, { ...headers, ...more }))['controller_binding'];
    expect(await bound({})).toMatchObject({ controller_id: 'main', proved: true });
    expect(await bound({ controller_id: 'main' })).toMatchObject({ proved: true });
    const other = { controller_id: 'other', proved: false };
    expect(await bound({}, { 'x-controller-id': 'other' })).toMatchObject(other);
    expect(await bound({ controller_id: 'main' })).toMatchObject({ proved: false });
  });
});
