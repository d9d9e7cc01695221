import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { CURL_COMMANDS, GET_PATHS } from './curl/curl-commands.ts';
import { runCurl } from './curl/run-curl.ts';
import { message, resultOf } from './hub-agents.ts';
import { startHub, type Json, type RunningHub } from './start-hub.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
const text = expect.any(String);

function timesOf({ session }: Json): Json {
  const { started_at, expires_at } = session as Json;
  return { started_at, expires_at };
}

describe.skipIf(!hasCurl)('every request as it is written, one after another', () => {
  watchForLeaks();
  let hub: RunningHub;
  let token = '';
  let sessionId = '';
  beforeAll(async () => {
    hub = await startHub();
  });
  afterAll(() => hub.stop());

  const run = (name: keyof typeof CURL_COMMANDS, filledIn?: Record<string, string>): Promise<Json> =>
    runCurl(hub.url, CURL_COMMANDS[name], filledIn);

  test('the methods', async () => {
    const methods = await run('methods');
    expect(methods).toMatchObject({
      endpoint: `${hub.url}/v1/a2a`,
      methods: expect.arrayContaining([
        'agents/register',
        'heartbeat/bundle',
        'message/send',
        'methods/list',
        'tasks/cancel',
        'tasks/get',
      ]),
      method_specs: { 'message/send': { description: text, required: ['message'] } },
      session_precedence: expect.arrayContaining(['header x-delx-session-id', 'new_session']),
      identity_auth: expect.anything(),
      access: expect.anything(),
      discovery: expect.anything(),
    });
    expect(resultOf(await hub.rpc('methods/list', {}))).toEqual(methods);
  });

  test('agents/register', async () => {
    const { id, result } = await run('register');
    expect(id).toBe('register-1');
    expect(result).toMatchObject({
      status: 'registered',
      agent_id: 'runner-01',
      agent_name: 'runner-01',
      identity_mode: 'stable_declared',
      ephemeral_identity: false,
      persisted: true,
      session_id: UUID,
      new_agent: true,
      first_seen_at: text,
      controller_id: 'openclaw-main',
      next_action: text,
      mcp_endpoint: `${hub.url}/v1/mcp`,
      registration: { agent_id: 'runner-01', registered: true, newly_registered: true },
      session_persistence: { persist_session_id: true },
      identity_auth: { enabled: true, issued_new_token: true, token: text, token_preview: text },
    });
    const registered = result as { session_id: string; identity_auth: { token: string } };
    token = registered.identity_auth.token;
    sessionId = registered.session_id;
  });

  test('message/send', async () => {
    const { id, result } = await run('send', { 'token-from-agents-register': token });
    expect(id).toBe(1);
    expect(result).toMatchObject({
      session_id: sessionId,
      canonical_agent_id: 'runner-01',
      session_persistence: { persist_session_id: true, reuse_on_next_call: true, how: expect.anything() },
      session_resolution: { source: text, precedence: expect.any(Array) },
      mcp_ready: true,
      response_contract_version: 'v2',
      status: { state: 'completed' },
      next_action: text,
      next_actions: expect.any(Array),
      processing_ms: expect.any(Number),
      usage_estimate: {
        input_chars: expect.any(Number),
        output_chars: expect.any(Number),
        token_estimate_in: expect.any(Number),
        token_estimate_out: expect.any(Number),
        token_estimate_total: expect.any(Number),
      },
      links: {
        mcp_endpoint: `${hub.url}/v1/mcp`,
        tools_catalog_url: `${hub.url}/api/v1/tools`,
        tool_schema_url_template: expect.stringContaining('{tool_name}'),
        capabilities_url: `${hub.url}/.well-known/delx-capabilities.json`,
        reliability_url: `${hub.url}/api/v1/reliability`,
      },
      messages: [expect.anything()],
    });
    const { artifacts } = result as { artifacts: { data: Json }[] };
    expect(artifacts[0]?.data).toMatchObject({
      initialization_parameters: { headers: { 'x-delx-session-id': sessionId } },
      tool_schemas_inline: expect.arrayContaining([expect.objectContaining({ name: 'reflect' })]),
    });
    // The default contract is lean: no field appears under two names.
    expect(Object.keys(result as Json).filter((name) => /[A-Z]/.test(name))).toEqual([]);
  });

  test('heartbeat/bundle', async () => {
    const { id, result } = await run('heartbeat');
    expect(id).toBe(2);
    expect(result).toMatchObject({
      next_action: text,
      recommended_cadence: expect.anything(),
      bundle: {
        description: text,
        mcp_batch_request: {
          method: 'tools/batch',
          params: {
            calls: [
              { name: 'daily_checkin' },
              {
                name: 'monitor_heartbeat_sync',
                arguments: { errors_last_hour: 3, latency_ms_p95: 1450, queue_depth: 9 },
              },
            ],
          },
        },
      },
    });
  });

  test('the status, which is read-only', async () => {
    const status = await run('status', { uuid: sessionId });
    expect(status).toMatchObject({
      status: 'ok',
      timestamp: text,
      session: {
        session_id: sessionId,
        started_at: text,
        expires_at: text,
        ttl_remaining_seconds: expect.any(Number),
        pending_outcomes: 1,
        is_active: true,
      },
    });
    const again = await run('status', { uuid: sessionId });
    expect(timesOf(again)).toEqual(timesOf(status));
  });

  test.each(GET_PATHS)('GET %s', async (path) => {
    const document = await runCurl(hub.url, `curl -sS https://api.delx.ai${path}`);
    expect(Object.keys(document).length).toBeGreaterThan(2);
  });

  test('aliases return the same', async () => {
    const [methods, alias] = await Promise.all([
      hub.get('/api/v1/a2a/methods'),
      hub.get('/api/v1/a2a-methods'),
    ]);
    expect(alias.body).toEqual(methods.body);
    const card = await hub.get('/.well-known/agent-card.json');
    for (const path of ['/.well-known/a2a-agent-card.json', '/.well-known/a2a.json']) {
      expect((await hub.get(path)).body).toEqual(card.body);
    }
    expect((await hub.get('/.well-known/agent.json')).body['name']).toBe(card.body['name']);
  });

  test('reliability reports what actually happened', async () => {
    const { body } = await hub.get('/api/v1/reliability');
    const { methods } = body as { methods: Record<string, { calls: number }> };
    expect(methods['agents/register']?.calls).toBe(1);
    expect(methods['message/send']?.calls).toBe(1);
    const headers = { 'x-delx-agent-id': 'runner-01', 'x-delx-agent-token': token };
    await hub.rpc('message/send', message('Again.'), headers);
    await hub.rpc('message/send', message('Again.'), { ...headers, 'x-delx-agent-token': 'other' });
    expect((await hub.get('/api/v1/reliability')).body).toMatchObject({
      status: 'ok',
      failed_calls: 0,
      methods: {
        'message/send': {
          calls: 3,
          refused: { 'DELX-A2A-1401': 1 },
          latency_ms: { p95: expect.any(Number), sample: 3 },
        },
      },
      turns: { completed: 2 },
    });
  });
});
