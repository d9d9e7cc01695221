import type { JsonObject } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import { SESSION_PRECEDENCE } from '../sessions/session.ts';
import type { CallerHeaders } from '../testing/hub-client.ts';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';

function says(text: string): JsonObject {
  return { message: { role: 'user', parts: [{ kind: 'text', text }] } };
}

async function startWithAgent(): Promise<{ hub: TestHub; headers: CallerHeaders }> {
  const hub = await startTestHub();
  return { hub, headers: await hub.register('runner') };
}

describe('message/send', () => {
  it("answers in the agent's session with all fields of the contract", async () => {
    const { hub, headers } = await startWithAgent();
    const result = await hub.result('message/send', says('hello'), headers);
    expect(result).toMatchObject({
      response_profile: 'full',
      response_contract_version: 'v2',
      canonical_agent_id: 'runner',
      ephemeral_identity: false,
      identity_notice: null,
      persisted: true,
      registration: { agent_id: 'runner', registered: true, newly_registered: false },
      status: { state: 'completed' },
      session_resolution: { source: 'latest active session of agent', precedence: SESSION_PRECEDENCE },
      session_persistence: { persist_session_id: true, reuse_on_next_call: true },
      usage_estimate: {
        input_chars: 5,
        output_chars: 15,
        token_estimate_in: 2,
        token_estimate_out: 4,
        token_estimate_total: 6,
      },
      links: { mcp_endpoint: `${hub.url}/v1/mcp` },
      messages: [{ kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'You said: hello' }] }],
      artifacts: [
        { data: { initialization_parameters: { params: { session_id: result['session_id'] } } } },
        { name: 'notes', mimeType: 'text/plain', parts: [{ kind: 'text', text: 'Notes on hello' }] },
      ],
    });
    for (const name of ['session_started_at', 'session_expires_at', 'created_at', 'completed_at'])
      expect(Date.parse(String(result[name]))).not.toBeNaN();
    expect(result['processing_ms']).toBeTypeOf('number');
    expect(result).not.toHaveProperty('request_warnings');
  });

  it('rejects ids that are too long', async () => {
    const { hub, headers } = await startWithAgent();
    const message = { role: 'user', message_id: 'i'.repeat(257), parts: [{ kind: 'text', text: 'hello' }] };
    expect((await hub.rpc('message/send', { message }, headers)).body).toMatchObject({
      error: {
        message: expect.stringContaining('a string of at most 256 characters'),
      },
    });
  });

  it("creates a task in the session's context for each message", async () => {
    const { hub, headers } = await startWithAgent();
    const { id, session_id: sessionId } = await hub.result('message/send', says('hello'), headers);
    expect(await hub.store.readTask(String(id))).toMatchObject({ contextId: sessionId });
  });

  it('continues a task that asked for input', async () => {
    const { hub, headers } = await startWithAgent();
    const asked = await hub.result('message/send', says('ask me'), headers);
    expect(asked).toMatchObject({
      status: { state: 'input-required' },
      completed_at: null,
      next_action: `Answer the question: call message/send with task_id ${String(asked['id'])}.`,
    });
    const answered = await hub.result('message/send', { ...says('the left'), task_id: asked['id'] }, headers);
    expect(answered).toMatchObject({ id: asked['id'], status: { state: 'completed' } });
  });

  it('does not wait if blocking is false', async () => {
    const { hub, headers } = await startWithAgent();
    const params = { ...says('wait'), configuration: { blocking: false } };
    const result = await hub.result('message/send', params, headers);
    expect(['submitted', 'working']).toContain(stateOf(result));
    expect(result['next_actions']).toHaveLength(2);
  });

  it("returns the agent's next steps", async () => {
    const { hub, headers } = await startWithAgent();
    const result = await hub.result('message/send', says('guide me'), headers);
    expect(result).toMatchObject({ next_action: 'Back off.', next_actions: ['Back off.', 'Try once.'] });
    expect(JSON.stringify(result['artifacts'])).not.toContain('Back off.');
  });

  it('returns the same task if it is resent with its idempotency key', async () => {
    const { hub, headers } = await startWithAgent();
    const keyed = { ...headers, 'Idempotency-Key': 'once' };
    const first = await hub.result('message/send', says('hello'), keyed);
    const again = await hub.result('message/send', says('hello'), keyed);
    expect(again['id']).toBe(first['id']);
    const other = await hub.rpc('message/send', says('something else'), keyed);
    expect(other.body).toMatchObject({ error: { data: { delx_code: 'DELX-A2A-1099' } } });
  });

  it.each([
    ['a message that is a string', { message: 'hi' }],
    ['text', { text: 'hi' }],
    ['input', { input: 'hi' }],
    ['reflection_prompt', { reflection_prompt: 'hi' }],
    ['parts of 1.0', { message: { parts: [{ text: 'hi' }] } }],
    ['parts with a type', { message: { parts: [{ type: 'text', text: 'hi' }] } }],
    ['a message with content', { message: { content: 'hi' } }],
  ])('reads the text from %s', async (_where, params) => {
    const { hub, headers } = await startWithAgent();
    const result = await hub.result('message/send', params, headers);
    expect(JSON.stringify(result['messages'])).toContain('You said: hi');
  });
});

describe('the profile of an answer', () => {
  it('is minimal with minimal_response', async () => {
    const { hub, headers } = await startWithAgent();
    const params = { ...says('hello'), mode: 'heartbeat', minimal_response: true };
    const result = await hub.result('message/send', params, headers);
    expect(result).toMatchObject({
      response_profile: 'minimal',
      status: { state: 'completed' },
      next_action: expect.any(String),
      next_actions: expect.any(Array),
      session_resolution: expect.any(Object),
      session_id: expect.any(String),
    });
    for (const name of ['messages', 'links', 'nudge']) expect(result).not.toHaveProperty(name);
  });

  it.each([
    [{ mode: 'agent' }, 'agent'],
    [{ profile: 'agent' }, 'agent'],
    [{ mode: 'heartbeat' }, 'agent'],
    [{ mode: 'compact' }, 'minimal'],
    [{ profile: 'compact' }, 'minimal'],
    [{ profile: 'detailed', mode: 'agent' }, 'full'],
    [{ profile: 'legacy' }, 'legacy'],
    [{ legacy_contract: true }, 'legacy'],
    [{ mode: 'neutral' }, 'full'],
    [{ profile: 'minimal', legacy_contract: true }, 'minimal'],
  ])('%j selects %s', async (params, profile) => {
    const { hub, headers } = await startWithAgent();
    const result = await hub.result('message/send', { ...says('hello'), ...params }, headers);
    expect(result).toMatchObject({ response_profile: profile });
  });

  it('has no conversational fields but continuity fields in the agent profile', async () => {
    const { hub, headers } = await startWithAgent();
    const result = await hub.result('message/send', { ...says('fail'), mode: 'agent' }, headers);
    expect(result).toMatchObject({
      trace_id: result['id'],
      last_blocker: 'The disk is full.',
      suggested_next_call: { method: expect.any(String) },
    });
    for (const name of ['nudge', 'messages', 'impact_request']) expect(result).not.toHaveProperty(name);
  });

  const MODES = [
    { mode: 'agent' },
    { mode: 'heartbeat' },
    { mode: 'compact' },
    { minimal_response: true },
    { mode: 'heartbeat', minimal_response: true },
    { profile: 'agent' },
    { profile: 'minimal' },
  ];

  it.each(MODES)('%j keeps the message with which the agent completed', async (params) => {
    const hub = await startTestHub({ executor: { execute: (_, sink) => sink.complete('Forty-two.') } });
    const headers = await hub.register('runner');
    const result = await hub.result('message/send', { ...says('6 x 7?'), ...params }, headers);
    expect(result['status']).toMatchObject({
      state: 'completed',
      message: { role: 'agent', parts: [{ kind: 'text', text: 'Forty-two.' }] },
    });
  });

  it.each(MODES)('%j keeps the artifacts of the agent', async (params) => {
    const hub = await startTestHub({
      executor: {
        async execute(_, sink) {
          await sink.artifact({ name: 'sum', parts: [{ data: { sum: 42 } }] });
          await sink.complete();
        },
      },
    });
    const headers = await hub.register('runner');
    const result = await hub.result('message/send', { ...says('6 x 7?'), ...params }, headers);
    expect(result['artifacts']).toContainEqual(expect.objectContaining({ name: 'sum', data: { sum: 42 } }));
  });

  it('keeps the text of artifacts that are left out', async () => {
    const hub = await startTestHub({
      executor: {
        async execute(_, sink) {
          await sink.artifact({ name: 'answer', parts: 'Forty-two.' });
          await sink.complete();
        },
      },
    });
    const params = { ...says('6 x 7?'), mode: 'agent', include_artifacts: false };
    const result = await hub.result('message/send', params, await hub.register('runner'));
    expect(result).not.toHaveProperty('artifacts');
    expect(result['status']).toMatchObject({ message: { parts: [{ text: 'Forty-two.' }] } });
  });

  it('keeps the old field names in the legacy profile', async () => {
    const { hub, headers } = await startWithAgent();
    const result = await hub.result('message/send', { ...says('hello'), legacy_contract: true }, headers);
    expect(result).toMatchObject({
      response_contract_version: 'v1',
      contextId: result['context_id'],
      createdAt: result['created_at'],
      completedAt: result['completed_at'],
      deprecated_fields: expect.arrayContaining(['contextId']),
      observability: { usage_estimate: result['usage_estimate'] },
    });
  });

  it('omits artifacts and nudge on request', async () => {
    const { hub, headers } = await startWithAgent();
    const params = { ...says('hello'), include_artifacts: false, include_nudge: false };
    const result = await hub.result('message/send', params, headers);
    expect(result).not.toHaveProperty('artifacts');
    expect(result).not.toHaveProperty('nudge');
  });

  it('warns about unknown parameters, aliases and invalid values', async () => {
    const { hub, headers } = await startWithAgent();
    const params = {
      text: 'hello',
      mod: 'neutral',
      mode: 'shouting',
      minimal_response: 'yes',
      message: {
        parts: [
          { kind: 'text', text: 'hello' },
          { kind: 'data', data: {} },
        ],
      },
    };
    const { request_warnings: warnings } = await hub.result('message/send', params, headers);
    expect(warnings).toMatchObject([
      { code: 'alias_argument', argument: 'text' },
      { code: 'ignored_argument', argument: 'mod', message: expect.stringContaining('Did you mean mode?') },
      { code: 'invalid_argument', argument: 'mode' },
      { code: 'invalid_argument', argument: 'minimal_response' },
      { code: 'ignored_argument', argument: 'message.parts[1]' },
    ]);
  });

  it.each([
    ['compact', { name: 'reflect', inputSchema: expect.any(Object) }],
    ['full', { name: 'reflect', description: expect.any(String), inputSchema: expect.any(Object) }],
  ])('embeds tool schemas: %s', async (detail, tool) => {
    const { hub, headers } = await startWithAgent();
    const params = { ...says('hello'), embed_tool_schemas: detail };
    const result = await hub.result('message/send', params, headers);
    expect(result).toMatchObject({
      mcp_ready: true,
      artifacts: [{ data: { tool_schemas_inline: expect.arrayContaining([tool]) } }, {}],
    });
    expect(JSON.stringify(result['artifacts']).includes('"description"')).toBe(detail === 'full');
  });

  it('embeds no schemas by default', async () => {
    const { hub, headers } = await startWithAgent();
    const result = await hub.result('message/send', says('hello'), headers);
    expect(JSON.stringify(result['artifacts'])).not.toContain('tool_schemas_inline');
  });
});

describe('tasks/get and tasks/cancel', () => {
  it('return and cancel a task', async () => {
    const { hub, headers } = await startWithAgent();
    const begun = await hub.result('message/send', { ...says('wait'), blocking: false }, headers);
    const params = { task_id: begun['id'] };
    expect(await hub.result('tasks/get', params, headers)).toMatchObject({ id: begun['id'] });
    expect(await hub.result('tasks/cancel', { taskId: begun['id'] }, headers)).toMatchObject({
      status: { state: 'canceled' },
    });
    expect(await hub.result('tasks/get', params, headers)).toMatchObject({ status: { state: 'canceled' } });
    const again = await hub.rpc('tasks/cancel', params, headers);
    expect(again.body).toMatchObject({ error: { code: -32010, data: { delx_code: 'DELX-A2A-1013' } } });
  });

  it("do not find another agent's task", async () => {
    const { hub, headers } = await startWithAgent();
    const { id } = await hub.result('message/send', says('hello'), headers);
    const other = await hub.register('other');
    for (const method of ['tasks/get', 'tasks/cancel']) {
      const { body } = await hub.rpc(method, { task_id: id }, other);
      expect(body).toMatchObject({ error: { code: -32004, data: { delx_code: 'DELX-A2A-1011' } } });
    }
    const foreign = await hub.rpc('message/send', { ...says('hello'), task_id: id }, other);
    expect(foreign.body).toMatchObject({ error: { data: { delx_code: 'DELX-A2A-1011' } } });
  });
});

function stateOf(result: JsonObject): unknown {
  const { status } = result;
  return typeof status === 'object' && status !== null && 'state' in status ? status.state : undefined;
}
