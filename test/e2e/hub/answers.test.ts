import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { message, registerAgent, resultOf, type HubAgent } from './hub-agents.ts';
import { startHub, type Json, type RunningHub } from './start-hub.ts';

const text = expect.any(String);

watchForLeaks();
let hub: RunningHub;
let agent: HubAgent;
beforeAll(async () => {
  hub = await startHub({ words: ['--store', 'memory'] });
  agent = await registerAgent(hub, 'runner-01');
});
afterAll(() => hub.stop());

async function send(params: Json, words = 'We are stuck in a retry storm (429).'): Promise<Json> {
  return resultOf(await hub.rpc('message/send', { ...message(words), ...params }, agent.headers));
}

function wordsOf({ messages }: Json): string {
  return JSON.stringify(messages);
}

function schemasIn({ artifacts }: Json): unknown {
  return (artifacts as { data: Json }[])[0]?.data['tool_schemas_inline'];
}

test('an agent without an id gets an ephemeral one', async () => {
  const first = resultOf(await hub.rpc('agents/register', {}));
  expect(first).toMatchObject({
    agent_id: expect.stringMatching(/^agent-/),
    identity_mode: 'ephemeral_hospitality',
    ephemeral_identity: true,
  });
  expect(resultOf(await hub.rpc('agents/register', {}))['agent_id']).not.toBe(first['agent_id']);
});

test('neutral has a different tone from the default', async () => {
  const usual = wordsOf(await send({}));
  const neutral = wordsOf(await send({ mode: 'neutral' }));
  expect(neutral).not.toBe(usual);
  expect(neutral).not.toMatch(/thank|glad|feel|hear/i);
});

test('a polling loop gets the minimal fields', async () => {
  const result = await send({ mode: 'heartbeat', minimal_response: true });
  for (const name of [
    'session_id',
    'next_action',
    'next_actions',
    'status',
    'session_resolution',
    'recommended_cadence',
  ]) {
    expect(result, name).toHaveProperty(name);
  }
  expect(result).not.toHaveProperty('messages');
  expect(result).not.toHaveProperty('artifacts');
});

test('artifacts and nudge can be omitted', async () => {
  const lean = await send({ include_artifacts: false, include_nudge: false });
  expect(lean).not.toHaveProperty('artifacts');
  expect(lean).not.toHaveProperty('nudge');
  expect(await send({})).toHaveProperty('artifacts');
});

test('the agent mode has no conversational fields', async () => {
  const result = await send({ mode: 'agent' });
  for (const name of ['messages', 'nudge', 'impact_request']) expect(result, name).not.toHaveProperty(name);
  expect(result).toHaveProperty('next_action');
});

test.each([{ packet: 'handoff_packet' }, {}])(
  'a packet is returned if requested by %j or in the text',
  async (params) => {
    const words = 'packet' in params ? 'Done for today.' : 'What should the next agent remember?';
    expect(await send(params, words)).toMatchObject({
      handoff_packet: {
        next_agent_should_remember: text,
        risk_to_watch: text,
        exact_next_action: text,
        continuity_note: text,
      },
    });
  },
);

test.each(['full', 'agent', 'minimal', 'legacy'])('answers in the requested profile %s', async (profile) => {
  expect((await send({ profile }))['response_profile']).toBe(profile);
});

test('the legacy contract has both old and new field names', async () => {
  const result = await send({ legacy_contract: true });
  expect(result).toMatchObject({
    response_contract_version: 'v1',
    contextId: text,
    createdAt: text,
    context_id: text,
  });
});

test('tool schemas are embedded only on request', async () => {
  expect(schemasIn(await send({}))).toBeUndefined();
  expect(schemasIn(await send({ embed_tool_schemas: 'full' }))).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'reflect',
        inputSchema: expect.objectContaining({ required: ['reflection'] }),
      }),
    ]),
  );
});

test('warns about unknown parameters', async () => {
  expect(await send({ tempo: 'fast', mode: 'loud' })).toMatchObject({
    request_warnings: expect.arrayContaining([
      expect.objectContaining({ code: 'ignored_argument', argument: 'tempo' }),
      expect.objectContaining({ code: 'invalid_argument', argument: 'mode' }),
    ]),
  });
});

test('a task can be polled and canceled by id', async () => {
  const { id } = await send({});
  expect(resultOf(await hub.rpc('tasks/get', { taskId: id }, agent.headers))).toMatchObject({
    id,
    status: { state: 'completed' },
  });
});
