import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { message, errorOf, registerAgent, resultOf, type HubAgent } from './hub-agents.ts';
import { startHub, type Json, type RunningHub } from './start-hub.ts';

/** The sources of a session id in order of precedence, and how a request sets them. */
const SOURCES = [
  ['header x-delx-session-id', 'header', 'x-delx-session-id'],
  ['params.session_id|sessionId', 'params', 'session_id'],
  ['params.contextId (UUID)', 'params', 'contextId'],
  ['metadata.session_id', 'metadata', 'session_id'],
  ['metadata.contextId (UUID)', 'metadata', 'contextId'],
  ['configuration.sessionId', 'configuration', 'sessionId'],
  ['configuration.contextId (UUID)', 'configuration', 'contextId'],
  ['top-level contextId (UUID)', 'envelope', 'contextId'],
] as const;
const WHOLE_PRECEDENCE = [
  ...SOURCES.map(([source]) => source),
  'contextId token map',
  'latest active session of agent',
  'new_session',
];

interface Case {
  readonly name: string;
  /** The value of each source; undefined if it is not set. */
  readonly values: readonly (string | undefined)[];
  /** The source that wins; undefined for a new session. */
  readonly winner: number | undefined;
}

watchForLeaks();
let hub: RunningHub;
let agent: HubAgent;
let own: string[];
let foreign: string;

beforeAll(async () => {
  // Sessions are idle at once, so that every request without a session id starts a new one.
  hub = await startHub({ hubOptions: { idleSeconds: 0 }, words: ['--store', 'memory'] });
  agent = await registerAgent(hub, 'chooser');
  foreign = (await registerAgent(hub, 'stranger')).sessionId;
  own = await SOURCES.reduce<Promise<string[]>>(
    async (before) => [...(await before), (await send([], {})).session_id],
    Promise.resolve([]),
  );
  expect(new Set(own).size).toBe(SOURCES.length);
});
afterAll(() => hub.stop());

/** Sends a message with the given session ids. */
async function call(values: readonly (string | undefined)[], more: Json) {
  const at = (where: string): Json =>
    Object.fromEntries(
      SOURCES.map(([, place, name], index) => [place, name, values[index]] as const)
        .filter(([place, , value]) => place === where && value !== undefined)
        .map(([, name, value]) => [name, value]),
    );
  const params = {
    ...message('Anything new?'),
    mode: 'heartbeat',
    minimal_response: true,
    ...at('params'),
    metadata: at('metadata'),
    configuration: { ...at('configuration'), ...more },
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'message/send', params, ...at('envelope') };
  const header = values[0];
  return hub.post(JSON.stringify(body), {
    ...agent.headers,
    ...(header !== undefined && { 'x-delx-session-id': header }),
  });
}

async function send(values: readonly (string | undefined)[], more: Json) {
  const result = resultOf(await call(values, more));
  return result as { session_id: string; session_resolution: { source: string; precedence: string[] } };
}

/** Every combination of sources that name a session of the agent. */
function choices(): Case[] {
  return Array.from({ length: 2 ** SOURCES.length }, (_, choice) => {
    const chosen = SOURCES.map((_source, index) => (choice & (2 ** index)) !== 0);
    const winner = chosen.indexOf(true);
    return {
      name: `places ${chosen.map(Number).join('')}`,
      values: chosen.map((isChosen, index) => (isChosen ? own[index] : undefined)),
      winner: winner === -1 ? undefined : winner,
    };
  });
}

/** Every source with an id that is not a session of the agent, before every other source and alone. */
function skipped(): Case[] {
  const useless: [string, string][] = [
    ['an unknown session', randomUUID()],
    ["another agent's session", foreign],
    ['an invalid UUID', 'not a uuid'],
  ];
  return useless.flatMap(([what, value]) =>
    SOURCES.flatMap((_source, index) => {
      // Only the header is rejected if it is not a UUID.
      if (index === 0 && what === 'an invalid UUID') return [];
      const others = SOURCES.flatMap((_other, later) => (later > index ? [later] : []));
      return [...others, undefined].map((winner) => ({
        name: `${what} at ${SOURCES[index]?.[0]}, then ${winner === undefined ? 'nothing' : SOURCES[winner]?.[0]}`,
        values: SOURCES.map((_each, at) => (at === index ? value : at === winner ? own[at] : undefined)),
        winner,
      }));
    }),
  );
}

async function check(cases: readonly Case[]): Promise<void> {
  const wrong: string[] = [];
  for (const { name, values, winner } of cases) {
    const { session_id: found, session_resolution: resolution } = await send(values, {});
    const expected = winner === undefined ? 'new_session' : SOURCES[winner]?.[0];
    const isRight = winner === undefined ? !own.includes(found) && found !== foreign : found === own[winner];
    if (!isRight || resolution.source !== expected) {
      wrong.push(`${name}: expected ${expected}, found ${resolution.source}`);
    }
  }
  expect(wrong).toEqual([]);
}

describe('the session of a message', () => {
  test('comes from the first source that names one', () => check(choices()));

  test('comes from a later source if an earlier one names no session of the agent', () => check(skipped()));

  test('is returned with the complete precedence', async () => {
    const { session_resolution: resolution } = await send([], {});
    expect(resolution.precedence).toEqual(WHOLE_PRECEDENCE);
  });

  test('is rejected if the header is not a UUID', async () => {
    const refusal = errorOf(await call(['not a uuid', own[1]], {}));
    expect(refusal).toMatchObject({ code: -32602, data: { delx_code: 'DELX-A2A-1004' } });
  });

  test("is the one with the same context id, but not another agent's", async () => {
    const first = await send([undefined, own[1]], { contextId: 'ticket:7' });
    const again = await send([], { contextId: 'ticket:7' });
    expect(again.session_id).toBe(first.session_id);
    expect(again.session_resolution.source).toBe('contextId token map');
    const other = await registerAgent(hub, 'other');
    const params = { ...message('Anything new?'), configuration: { contextId: 'ticket:7' } };
    const theirs = resultOf(await hub.rpc('message/send', params, other.headers));
    expect(theirs['session_id']).not.toBe(first.session_id);
  });

  test('is the latest active one if none is named', async () => {
    const lasting = await startHub({ words: ['--store', 'memory'] });
    try {
      const { headers, sessionId } = await registerAgent(lasting, 'lasting');
      const result = resultOf(await lasting.rpc('message/send', message('Anything new?'), headers));
      expect(result).toMatchObject({
        session_id: sessionId,
        session_resolution: { source: 'latest active session of agent' },
      });
    } finally {
      await lasting.stop();
    }
  });
});
