import { afterAll, beforeAll, expect, test } from 'vitest';
import { message, registerAgent, type HubAgent } from '../e2e/hub/hub-agents.ts';
import { startHub, type Json, type RunningHub } from '../e2e/hub/start-hub.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import { hostileValue, mutateJson } from './fuzz/mutate-json.ts';
import { campaignSeed, Random } from './random.ts';
import { SCALE } from './scale.ts';
import { printSummary } from './summary.ts';
import { inParallel } from './verify/in-parallel.ts';

const AT_ONCE = 8;

watchForLeaks();
let hub: RunningHub;
let agent: HubAgent;
beforeAll(async () => {
  hub = await startHub({ words: ['--store', 'memory'] });
  agent = await registerAgent(hub, 'victim');
});
afterAll(() => hub.stop());

/** One valid call of every method and every tool. */
function samples(): Json[] {
  const handoff = { handoff_id: 'none', lease_token: 'none' };
  const calls: [string, Json][] = [
    [
      'agents/register',
      { agent_id: 'newcomer', agent_name: 'n', controller_id: 'c', skills: ['a'], metadata: {} },
    ],
    [
      'message/send',
      { ...message('hello'), metadata: {}, configuration: { contextId: 'demo' }, mode: 'neutral' },
    ],
    ['message/send', { ...message('What should the next agent remember?'), packet: 'handoff_packet' }],
    ['tasks/get', { taskId: agent.sessionId }],
    ['tasks/cancel', { task_id: agent.sessionId }],
    ['heartbeat/bundle', { agent_id: 'victim', errors_last_hour: 3, latency_ms_p95: 1450, queue_depth: 9 }],
    ['handoff/offer', { task_id: agent.sessionId, to_agent_id: 'x', note: 'n', lease_seconds: 60 }],
    ['handoff/claim', handoff],
    ['handoff/ack', handoff],
    ['handoff/release', { ...handoff, reason: 'r' }],
    ['handoff/get', handoff],
    ['handoff/list', {}],
    ['fleet/status', { limit: 5, after: 'a' }],
    ['methods/list', {}],
    ['SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] } }],
  ];
  return calls.map(([method, params]) => ({ jsonrpc: '2.0', id: 1, method, params }));
}

const BATCH = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/batch',
  params: {
    calls: [
      { name: 'reflect', arguments: { reflection: '$SESSION_ID', session_id: '${SESSION_ID}' } },
      { name: 'daily_checkin', arguments: { status: '$prev.reflect.answer' } },
      { name: 'monitor_heartbeat_sync', arguments: { errors_last_hour: 1 } },
      { name: 'handoff_offer', arguments: { note: '$prev.daily_checkin.next_actions' } },
    ],
  },
};

/** Sends one malformed request; returns what is wrong with the response. */
async function attack(random: Random): Promise<string | undefined> {
  const overMcp = random.chance(0.3);
  const request = mutateJson(overMcp ? BATCH : random.pick(samples()), random);
  const response = await fetch(`${hub.url}${overMcp ? '/v1/mcp' : '/v1/a2a'}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...agent.headers, ...hostileHeaders(random) },
    body: JSON.stringify(request) ?? '',
  });
  const text = await response.text();
  // Without an ID it is a notification, to which MCP does not respond.
  const isAnswer = response.status === 202 ? text === '' : isJson(text);
  const isSound = response.status < 500 && !text.includes('DELX-A2A-1500') && isAnswer;
  return isSound
    ? undefined
    : `${response.status} ${text.slice(0, 200)} for ${JSON.stringify(request)?.slice(0, 500)}`;
}

function hostileHeaders(random: Random): Record<string, string> {
  if (random.chance(0.7)) return {};
  const name = random.pick(['x-delx-session-id', 'x-delx-agent-id', 'x-delx-agent-token', 'idempotency-key']);
  // Invalid header values never reach a server.
  return { [name]: encodeURI(JSON.stringify(hostileValue(random)).toWellFormed()).slice(0, 2_000) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test(`${SCALE.malformedHubRequests} malformed requests break nothing on the hub`, async () => {
  const seed = campaignSeed();
  printSummary('Malformed requests of the hub', { 'HOLDWORD_CHAOS_SEED to repeat': seed });
  const problems: string[] = [];
  await inParallel(
    Array.from({ length: SCALE.malformedHubRequests }, (_, number) => number),
    AT_ONCE,
    async (number) => {
      const problem = await attack(new Random(`${seed}/${number}`));
      if (problem !== undefined) problems.push(`request ${number}: ${problem}`);
    },
  );
  expect(problems.slice(0, 10)).toEqual([]);
  // The agents they were aimed at still exist.
  const { status } = await hub.rpc('message/send', message('Still here?'), agent.headers);
  expect(status).toBe(200);
  expect(hub.process.output()).not.toMatch(/internal error while handling/i);
});
