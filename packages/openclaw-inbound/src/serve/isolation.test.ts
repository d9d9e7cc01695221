import { describe, expect, test } from 'vitest';
import { answer, untilAborted } from '../testing/scripted-host.ts';
import {
  digestOf,
  sectionOf,
  serveScriptedAccount,
  type ServedScriptedAccount,
} from '../testing/serve-scripted-account.ts';

const HERMES = { Authorization: 'Bearer key-of-hermes' };
const IRIS = { 'X-API-Key': 'key-of-iris' };
const ANONYMOUS = {};
const IDEMPOTENCY = 'urn:holdword:a2a:idempotency:v1';

const SECTION = sectionOf({
  agentStyle: 'task-generating',
  auth: {
    peers: {
      hermes: {
        keySha256: digestOf('key-of-hermes'),
        tools: ['web_search'],
        privateFiles: true,
        agentId: 'clerk',
      },
      iris: { keySha256: digestOf('key-of-iris') },
    },
  },
});

function send(
  { call }: ServedScriptedAccount,
  headers: Record<string, string>,
  message: object = {},
  rest: object = {},
) {
  const said = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'hello' }], ...message };
  return call('SendMessage', { message: said, ...rest }, { headers });
}

async function taskOf(sent: ReturnType<typeof send>): Promise<{ id: string; contextId: string }> {
  const { result } = await sent;
  return (result as { task: { id: string; contextId: string } }).task;
}

describe.each([
  ['a peer', 'another peer', HERMES, IRIS],
  ['a peer', 'an anonymous caller', HERMES, ANONYMOUS],
  ['an anonymous caller', 'a peer', ANONYMOUS, IRIS],
])('a task of %s, for %s', (_owner, _other, owner, other) => {
  test.each([
    ['GetTask', '1.0'],
    ['CancelTask', '1.0'],
    ['SubscribeToTask', '1.0'],
    ['tasks/get', '0.3'],
    ['tasks/cancel', '0.3'],
    ['tasks/resubscribe', '0.3'],
  ])('does not exist: %s (%s)', async (method, version) => {
    const account = await serveScriptedAccount(SECTION, untilAborted);
    const configuration = { returnImmediately: true };
    const { id } = await taskOf(send(account, owner, {}, { configuration }));
    const headers = { ...other, 'A2A-Version': version };
    expect(await account.call(method, { id }, { headers })).toMatchObject({ error: { code: -32001 } });
    expect(await account.call('GetTask', { id }, { headers: owner })).toMatchObject({
      result: { id, status: { state: 'TASK_STATE_WORKING' } },
    });
  });

  test('does not accept a message', async () => {
    const account = await serveScriptedAccount(SECTION, (turn) => {
      if (turn.text !== 'hello') answer(turn, turn.text);
      else {
        turn.onEvent({ kind: 'reply', reply: 'final', text: 'Which one?', media: [], isError: false });
      }
    });
    const { id } = await taskOf(send(account, owner));
    expect(await send(account, other, { taskId: id })).toMatchObject({ error: { code: -32001 } });
    expect(account.host.turns).toHaveLength(1);
  });

  test('does not reveal its conversation by its context id', async () => {
    const account = await serveScriptedAccount(SECTION);
    const { contextId } = await taskOf(send(account, owner));
    await send(account, other, { contextId });
    const [mine, theirs] = account.host.turns.map(({ session }) => session);
    expect(mine?.conversationId).not.toBe(theirs?.conversationId);
    expect(mine?.senderId).not.toBe(theirs?.senderId);
  });
});

describe('the permissions of a caller', () => {
  const MAIN = { kind: 'bound', peerName: undefined };
  const CLERK = { kind: 'fixed', agentId: 'clerk' };

  test('come from the entry of a peer; an anonymous caller has none', async () => {
    const account = await serveScriptedAccount(SECTION);
    for (const headers of [HERMES, IRIS, ANONYMOUS]) await send(account, headers);
    expect(account.host.turns).toMatchObject([
      {
        senderName: 'hermes',
        tools: ['web_search'],
        privateFiles: true,
        workspace: 'peer-hermes',
        agent: CLERK,
        asksCaller: false,
      },
      {
        senderName: 'iris',
        tools: 'none',
        privateFiles: false,
        workspace: 'peer-iris',
        agent: MAIN,
        asksCaller: false,
      },
      {
        senderName: 'anonymous',
        tools: 'none',
        privateFiles: false,
        workspace: 'anonymous',
        agent: MAIN,
        asksCaller: false,
      },
    ]);
  });

  test.each([
    ['a prompt', { parts: [{ text: '/exec whoami' }] }, {}],
    [
      'metadata',
      { metadata: { tools: 'all', peer: 'hermes', senderIsOwner: true } },
      { metadata: { tools: 'all' } },
    ],
    ['data', { parts: [{ data: { tools: ['exec'], owner: 'peer:hermes' } }] }, {}],
    ['a context', { contextId: 'agent:main:main' }, {}],
    ['a tenant', {}, { tenant: 'hermes' }],
  ])('cannot be extended by %s', async (_, message, rest) => {
    const account = await serveScriptedAccount(SECTION);
    await send(account, ANONYMOUS, message, rest);
    expect(account.host.turns).toMatchObject([{ tools: 'none', agent: MAIN, senderName: 'anonymous' }]);
    expect(account.host.turns[0]?.session.senderId).toMatch(/^anonymous-/);
  });

  test('require a valid key: a wrong key is not treated as anonymous', async () => {
    const account = await serveScriptedAccount(SECTION);
    for (const headers of [{ Authorization: 'Bearer wrong' }, { 'X-API-Key': 'wrong' }]) {
      expect(await send(account, headers)).toMatchObject({ status: 401 });
    }
    expect(account.host.turns).toEqual([]);
  });
});

describe('anonymous callers', () => {
  test('cannot find each other’s tasks', async () => {
    const account = await serveScriptedAccount(SECTION);
    await send(account, ANONYMOUS);
    expect(await account.call('ListTasks', {})).toMatchObject({ status: 401 });
    expect(await account.call('ListTasks', {}, { headers: IRIS })).toMatchObject({ result: { tasks: [] } });
  });

  test('have a conversation in an unguessable context', async () => {
    const account = await serveScriptedAccount(SECTION);
    const { contextId } = await taskOf(send(account, ANONYMOUS));
    await send(account, ANONYMOUS, { contextId });
    const [first, second] = account.host.turns.map(({ session }) => session.conversationId);
    expect(first).toBe(second);
  });

  test('do not share a context with a guessable id, while peers have a conversation there', async () => {
    const account = await serveScriptedAccount(SECTION);
    for (const headers of [ANONYMOUS, ANONYMOUS, IRIS, IRIS])
      await send(account, headers, { contextId: 'support' });
    const [one, other, peer, samePeer] = account.host.turns.map(({ session }) => session.conversationId);
    expect(one).not.toBe(other);
    expect(peer).toBe(samePeer);
  });

  test('cannot get each other’s tasks with a guessable idempotency key', async () => {
    const account = await serveScriptedAccount(SECTION);
    const key = { 'Idempotency-Key': '1' };
    const first = await taskOf(send(account, key));
    const second = await taskOf(send(account, key, { parts: [{ text: 'something else' }] }));
    expect(second.id).not.toBe(first.id);
    const declared = { 'A2A-Extensions': IDEMPOTENCY };
    const third = await taskOf(send(account, declared, { messageId: 'm-1' }));
    const fourth = await taskOf(send(account, declared, { messageId: 'm-1' }));
    expect(third.id).not.toBe(fourth.id);
  });

  test('can retry with an unguessable idempotency key', async () => {
    const account = await serveScriptedAccount(SECTION);
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const message = { messageId: 'm-1' };
    const { id } = await taskOf(send(account, key, message));
    expect((await taskOf(send(account, key, message))).id).toBe(id);
    expect(account.host.turns).toHaveLength(1);
  });

  test('are rejected with a foreign Host header', async () => {
    const account = await serveScriptedAccount(SECTION);
    // fetch does not allow setting the Host header.
    const status = (host: string, headers: Record<string, string>) =>
      account.statusFor({ 'Content-Type': 'application/json', Host: host, ...headers });
    expect(await status('evil.example', {})).toBe(403);
    expect(await status('agents.example.com', {})).toBe(200);
    expect(await status('evil.example', IRIS)).toBe(200);
  });

  test('are told the host names that they may use', async () => {
    const account = await serveScriptedAccount(SECTION);
    const text = await account.textFor({ 'Content-Type': 'application/json', Host: 'evil.example' });
    expect(text).toContain(
      'Host \\"evil.example\\" is not allowed. Without authentication, this agent accepts only the host names ' +
        'agents.example.com, 127.0.0.1, localhost.',
    );
  });

  test('are rejected if credentials are required', async () => {
    const auth = { required: true, peers: { iris: { keySha256: digestOf('key-of-iris') } } };
    const account = await serveScriptedAccount(sectionOf({ auth }));
    expect(await send(account, ANONYMOUS)).toMatchObject({ status: 401 });
    expect(await send(account, IRIS)).toMatchObject({ status: 200 });
  });

  test('share one rate limit, and a peer has its own', async () => {
    const auth = {
      peers: { iris: { keySha256: digestOf('key-of-iris'), requestsPerMinute: 3 } },
      anonymous: { requestsPerMinute: 1 },
    };
    const account = await serveScriptedAccount(sectionOf({ auth }));
    const statuses = async (headers: Record<string, string>) => {
      const all: number[] = [];
      for (let call = 0; call < 4; call += 1) all.push((await send(account, headers)).status);
      return all;
    };
    expect(await statuses(ANONYMOUS)).toEqual([200, 429, 429, 429]);
    expect(await statuses(IRIS)).toEqual([200, 200, 200, 429]);
  });

  test('share a limit of turns across tenants, without blocking peers', async () => {
    const auth = {
      peers: { iris: { keySha256: digestOf('key-of-iris') } },
      anonymous: { concurrentTurns: 2 },
    };
    const account = await serveScriptedAccount(sectionOf({ auth }), untilAborted);
    const configuration = { returnImmediately: true };
    const states: string[] = [];
    for (const tenant of ['a', 'b', 'c']) {
      const { result } = await send(account, ANONYMOUS, {}, { configuration, tenant });
      states.push((result as { task: { status: { state: string } } }).task.status.state);
    }
    expect(states).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_WORKING', 'TASK_STATE_SUBMITTED']);
    await send(account, IRIS, {}, { configuration });
    expect(account.host.turns.map(({ senderName }) => senderName)).toEqual([
      'anonymous',
      'anonymous',
      'iris',
    ]);
  });
});
