import { asObject } from '@holdword/protocol/internal';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CUSTOMER, KEYS, OPERATOR, OPS } from '../testing/key-authentication.ts';
import { startTestHub, tokenIn, type TestHub } from '../testing/start-test-hub.ts';
import {
  agentSchema,
  agentsPageSchema,
  alarmsPageSchema,
  alarmViewSchema,
  handoffSchema,
  handoffsPageSchema,
  heartbeatsSchema,
  sessionSchema,
  sessionsPageSchema,
} from './directory-schemas.ts';

const ASK = { message: { parts: [{ kind: 'text', text: 'ask' }] } };

async function startFilledHub(): Promise<TestHub & { handoffId: string; sessionId: string }> {
  const hub = await startTestHub({ authentication: KEYS, settings: { watchSeconds: 1 } });
  const registered = async (agentId: string, key: Record<string, string>) => ({
    'x-delx-agent-id': agentId,
    'x-delx-agent-token': tokenIn(await hub.result('agents/register', { agent_id: agentId }, key)),
  });
  const owner = await registered('owner', OPS);
  await registered('other', CUSTOMER);
  const sent = await hub.result('message/send', ASK, owner);
  const offer = await hub.result('handoff/offer', { task_id: sent['id'], to_agent_id: 'other' }, owner);
  const metrics = { errors_last_hour: 3, latency_ms_p95: 1450, queue_depth: 9, cadence_seconds: 5 };
  await hub.result('heartbeat/bundle', metrics, owner);
  return { ...hub, handoffId: String(offer['handoff_id']), sessionId: String(sent['session_id']) };
}

async function read<Schema extends z.ZodType>(
  hub: TestHub,
  path: string,
  schema: Schema,
  key: Record<string, string> = OPERATOR,
): Promise<z.infer<Schema>> {
  const { status, body } = await hub.get(path, key);
  expect(status, `${path} ${JSON.stringify(body)}`).toBe(200);
  return schema.parse(body);
}

function jsonSchemaOf(schema: z.ZodType) {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema);
  return rest;
}

describe('the directory', () => {
  it('shows an operator everything, in the documented form', async () => {
    const hub = await startFilledHub();
    const { agents } = await read(hub, '/hub/v1/agents', agentsPageSchema);
    expect(agents.map(({ agent_id, registered_by }) => [agent_id, registered_by])).toEqual([
      ['other', 'key:customer'],
      ['owner', 'key:ops'],
    ]);
    expect(await read(hub, '/hub/v1/agents/owner', agentSchema)).toMatchObject({
      status: 'active',
      health: 'steady',
      heartbeats: 1,
      latency_ms_p95: 1450,
      errors_last_hour: 3,
      cadence_seconds: 5,
    });
    const { samples, hours } = await read(hub, '/hub/v1/agents/owner/heartbeats', heartbeatsSchema);
    expect(samples).toMatchObject([{ latency_ms_p95: 1450, errors_last_hour: 3, queue_depth: 9 }]);
    expect(hours).toMatchObject([{ heartbeats: 1, latency_ms_p95: 1450 }]);
    const { sessions } = await read(hub, '/hub/v1/sessions?agent_id=owner', sessionsPageSchema);
    expect(sessions).toMatchObject([{ session_id: hub.sessionId, status: 'active' }]);
    expect(await read(hub, `/hub/v1/sessions/${hub.sessionId}`, sessionSchema)).toEqual(sessions[0]);
    const { handoffs } = await read(hub, '/hub/v1/handoffs?status=open', handoffsPageSchema);
    expect(handoffs).toMatchObject([{ handoff_id: hub.handoffId, status: 'offered', agent_id: 'owner' }]);
    expect(await read(hub, `/hub/v1/handoffs/${hub.handoffId}`, handoffSchema)).toEqual(handoffs[0]);
    expect(await read(hub, '/hub/v1/alarms', alarmsPageSchema)).toEqual({ alarms: [], next_cursor: null });
  });

  it('shows a caller its own agents only', async () => {
    const hub = await startFilledHub();
    const { agents } = await read(hub, '/hub/v1/agents', agentsPageSchema, CUSTOMER);
    expect(agents.map(({ agent_id }) => agent_id)).toEqual(['other']);
    const empty = { next_cursor: null };
    expect(await read(hub, '/hub/v1/handoffs', handoffsPageSchema, CUSTOMER)).toEqual({
      handoffs: [],
      ...empty,
    });
    expect(await read(hub, '/hub/v1/sessions?agent_id=owner', sessionsPageSchema, CUSTOMER)).toEqual({
      sessions: [],
      ...empty,
    });
    const own = await read(hub, '/hub/v1/sessions', sessionsPageSchema, CUSTOMER);
    expect(own.sessions.map(({ agent_id }) => agent_id)).toEqual(['other']);
    for (const path of [
      '/hub/v1/agents/owner',
      '/hub/v1/agents/owner/heartbeats',
      `/hub/v1/sessions/${hub.sessionId}`,
      `/hub/v1/handoffs/${hub.handoffId}`,
      '/hub/v1/alarms/owner-1',
    ]) {
      expect(await hub.get(path, CUSTOMER), path).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      });
    }
    expect((await read(hub, '/hub/v1/handoffs', handoffsPageSchema, OPS)).handoffs).toHaveLength(1);
  });

  it('requires a credential of the server, not the token of an agent', async () => {
    const hub = await startTestHub();
    const agent = await hub.register('runner');
    for (const headers of [{}, agent]) {
      expect(await hub.get('/hub/v1/agents', headers)).toMatchObject({
        status: 401,
        body: { error: { code: 'credential_required' } },
      });
    }
  });

  it('pages with a cursor, and filters', async () => {
    const hub = await startTestHub({ authentication: KEYS });
    for (let index = 0; index < 7; index += 1)
      await hub.result('agents/register', { agent_id: `agent-${index}` }, index % 2 === 0 ? OPS : CUSTOMER);
    await hub.result('agents/block', { agent_id: 'agent-2' }, OPS);
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null; pages += 1) {
      expect(pages).toBeLessThan(5);
      const path: string = `/hub/v1/agents?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page: z.infer<typeof agentsPageSchema> = await read(hub, path, agentsPageSchema);
      seen.push(...page.agents.map(({ agent_id }) => agent_id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(Array.from({ length: 7 }, (_, index) => `agent-${index}`));
    const blocked = await read(hub, '/hub/v1/agents?status=blocked', agentsPageSchema, OPS);
    expect(blocked.agents).toMatchObject([
      { agent_id: 'agent-2', blocked: { by: 'key:ops', by_operator: false } },
    ]);
    const { agents, next_cursor } = await read(hub, '/hub/v1/agents?limit=2', agentsPageSchema, CUSTOMER);
    expect([agents.map(({ agent_id }) => agent_id), next_cursor]).toEqual([
      ['agent-1', 'agent-3'],
      'agent-3',
    ]);
    for (const query of [
      'limit=0',
      'limit=x',
      'limit=201',
      'status=odd',
      'cursor=%20',
      'health=odd',
      'bogus=1',
    ]) {
      expect(await hub.get(`/hub/v1/agents?${query}`, OPERATOR), query).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_parameter' } },
      });
    }
  });

  it('answers 304 to a client that has the answer', async () => {
    const hub = await startFilledHub();
    const first = await hub.get('/hub/v1/agents', OPERATOR);
    const tag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const again = await fetch(`${hub.url}/hub/v1/agents`, { headers: { ...OPERATOR, 'If-None-Match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const other = await fetch(`${hub.url}/hub/v1/agents`, { headers: { ...OPS, 'If-None-Match': tag } });
    expect(other.status).toBe(200);
  });

  it('has alarms, with the hand-offs that they opened, once the agent missed its heartbeat', async () => {
    const hub = await startFilledHub();
    hub.clock.now += 60_000;
    await expect
      .poll(async () => (await read(hub, '/hub/v1/alarms', alarmsPageSchema)).alarms, { timeout: 10_000 })
      .toMatchObject([{ type: 'agent.heartbeat_missed', agent_id: 'owner', delivery: 'none' }]);
    const { alarms } = await read(hub, '/hub/v1/alarms?type=agent.heartbeat_missed', alarmsPageSchema, OPS);
    const one = await read(hub, `/hub/v1/alarms/${alarms[0]?.alarm_id}`, alarmViewSchema);
    expect(one).toEqual(alarms[0]);
    expect((await read(hub, '/hub/v1/alarms', alarmsPageSchema, CUSTOMER)).alarms).toEqual([]);
    const missing = await read(hub, '/hub/v1/agents?health=missing', agentsPageSchema);
    expect(missing.agents).toMatchObject([{ agent_id: 'owner', missing_at: null }]);
  });

  it('is described in the OpenAPI document by the schemas of its answers', async () => {
    const hub = await startTestHub();
    const { body } = await hub.get('/openapi.json');
    const paths = asObject(body['paths']);
    const described = (path: string) => {
      const { responses } = asObject(asObject(paths[path])['get']);
      const content = asObject(asObject(asObject(responses)['200'])['content']);
      return asObject(content['application/json'])['schema'];
    };
    expect(described('/hub/v1/agents')).toEqual(jsonSchemaOf(agentsPageSchema));
    expect(described('/hub/v1/agents/{agent_id}')).toEqual(jsonSchemaOf(agentSchema));
    expect(described('/hub/v1/agents/{agent_id}/heartbeats')).toEqual(jsonSchemaOf(heartbeatsSchema));
    expect(described('/hub/v1/sessions')).toEqual(jsonSchemaOf(sessionsPageSchema));
    expect(described('/hub/v1/sessions/{session_id}')).toEqual(jsonSchemaOf(sessionSchema));
    expect(described('/hub/v1/handoffs')).toEqual(jsonSchemaOf(handoffsPageSchema));
    expect(described('/hub/v1/handoffs/{handoff_id}')).toEqual(jsonSchemaOf(handoffSchema));
    expect(described('/hub/v1/alarms')).toEqual(jsonSchemaOf(alarmsPageSchema));
    expect(described('/hub/v1/alarms/{alarm_id}')).toEqual(jsonSchemaOf(alarmViewSchema));
  });
});
