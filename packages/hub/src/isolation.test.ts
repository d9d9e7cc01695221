/**
 * Two callers with their keys, two controllers, and everything that an agent can own: whatever the stranger sends to whichever
 * method, tool or route, it learns nothing of the owner's that it did not send itself, and changes nothing.
 *
 * The requests are generated from the hub's own tables. A new method, tool or route is tried at once; one that takes a parameter
 * that is not in VALUES fails the first test.
 */
import type { JsonObject, OperationName } from '@holdword/protocol';
import { asObject, OPERATION_NAMES, OPERATIONS } from '@holdword/protocol/internal';
import type { Authentication, Caller, Executor } from '@holdword/runtime';
import { expect, test } from 'vitest';
import { HUB_TOOLS } from './mcp/hub-tools.ts';
import { describeTool } from './mcp/hub-tool.ts';
import { startTestHub, tokenIn, type TestHub } from './testing/start-test-hub.ts';
import type { CallerHeaders } from './testing/hub-client.ts';

const CALLERS: Readonly<Record<string, Caller>> = {
  ours: { id: 'key:ours', authenticated: true },
  theirs: { id: 'key:theirs', authenticated: true },
  operator: { id: 'key:operator', authenticated: true, role: 'operator' },
};
const KEYS: Authentication = {
  authenticate: ({ 'x-api-key': key }) => Promise.resolve(CALLERS[String(key)]),
  securitySchemes: { apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } } },
  challenge: 'Bearer',
};
const OUR_KEY = { 'x-api-key': 'ours' };
const THEIR_KEY = { 'x-api-key': 'theirs' };

/** Tells its caller what it is shown of the owner, so that a leak into the agent is one into the answer. */
const tellingExecutor: Executor = {
  async execute(turn, sink) {
    const shown = JSON.stringify([turn.task.history, turn.task.artifacts, await turn.contextHistory()]);
    if (shown.includes('ask ')) {
      await sink.artifact({ name: 'owner-draft', parts: 'owner-artifact-text' });
      return sink.askInput('Which owner-question?');
    }
    await sink.complete(`Seen: ${[...new Set(shown.match(/owner-[a-z-]+/g))].join(' ')}`);
  },
};

/** What the owner has, by what its values are called in requests. */
interface Owned {
  readonly agentId: string;
  readonly token: string;
  readonly sessionId: string;
  readonly taskId: string;
  readonly handoffId: string;
  readonly leaseToken: string;
  readonly pushId: string;
}

interface Scene {
  readonly hub: TestHub;
  readonly owned: Owned;
  readonly callers: Callers;
  /** Whatever the owner, its successor and their controller see of what is theirs. */
  readonly ownView: () => Promise<string>;
  /** The records behind that view, which cost less to read. */
  readonly ownRecords: () => Promise<string>;
}

/** The agents whose headers the stranger combines. */
interface Callers {
  readonly owner: Agent;
  /** An agent of the other key, with a controller of that key. */
  readonly stranger: Agent;
  readonly otherController: Agent;
}

const AS_ITSELF = 'as itself';
/** The sets of headers with which the stranger tries. */
const ATTEMPTS: Readonly<Record<string, (callers: Callers) => CallerHeaders>> = {
  [AS_ITSELF]: ({ stranger }) => stranger.identity,
  'as itself, with its key': ({ stranger }) => ({ ...stranger.identity, ...THEIR_KEY }),
  "under the owner's name, with its own token": ({ stranger }) => ({
    ...stranger.identity,
    'x-delx-agent-id': 'owner',
  }),
  "under the owner's name in another header": ({ stranger }) => ({
    'x-agent-id': 'owner',
    'x-agent-token': stranger.token,
    ...THEIR_KEY,
  }),
  "with its key, under the owner's name": () => ({ ...THEIR_KEY, 'x-delx-agent-id': 'owner' }),
  "with the owner's token, and its own key": ({ owner }) => ({ ...owner.identity, ...THEIR_KEY }),
  "with its own token, in the owner's session": ({ stranger, owner }) => ({
    'x-delx-agent-token': stranger.token,
    'x-delx-session-id': owner.sessionId,
  }),
  'as another controller': ({ otherController }) => ({ ...otherController.identity, ...THEIR_KEY }),
  'as nobody': () => ({}),
  "as nobody, in the owner's session": ({ owner }) => ({ 'x-delx-session-id': owner.sessionId }),
  'as OpenClaw, which has a name by default': () => ({ 'user-agent': 'openclaw/2026.11' }),
};
const OFFERED_TO = 'owner-friend';
const CONTROLLER = 'owner-controller';
const ERRORS = 471_147_114;
const PUSH_URL = 'http://127.0.0.1:49150/owner-webhook';

interface Agent {
  readonly identity: CallerHeaders;
  readonly token: string;
  readonly sessionId: string;
}

async function enter(
  hub: TestHub,
  agentId: string,
  headers: CallerHeaders,
  more: JsonObject = {},
): Promise<Agent> {
  const result = await hub.result('agents/register', { agent_id: agentId, ...more }, headers);
  const token = tokenIn(result);
  const identity: CallerHeaders = { 'x-delx-agent-id': agentId, 'x-delx-agent-token': token };
  return { identity, token, sessionId: String(result['session_id']) };
}

async function startScene(): Promise<Scene> {
  const hub = await startTestHub({
    executor: tellingExecutor,
    authentication: KEYS,
    settings: { watchSeconds: 0 },
    push: { allowPrivate: ['127.0.0.0/8'] },
  });
  const controller = await enter(hub, CONTROLLER, OUR_KEY);
  const ofOurs = { controller_id: CONTROLLER, skills: ['owner-skill'] };
  const owner = await enter(hub, 'owner', OUR_KEY, { ...ofOurs, agent_name: 'owner-name' });
  const friend = await enter(hub, OFFERED_TO, OUR_KEY, ofOurs);
  const otherController = await enter(hub, 'other-controller', THEIR_KEY);
  const stranger = await enter(hub, 'stranger', THEIR_KEY, {
    controller_id: 'other-controller',
    skills: ['owner-skill'],
  });
  const asked = await hub.result('message/send', { message: 'ask owner-request-text' }, owner.identity);
  const taskId = String(asked['id']);
  const v1 = { ...owner.identity, 'A2A-Version': '1.0' };
  const config = { taskId, id: 'owner-push', url: PUSH_URL, token: 'owner-push-token' };
  await hub.result('CreateTaskPushNotificationConfig', config, v1);
  await hub.result('heartbeat/bundle', { errors_last_hour: ERRORS, cadence_seconds: 3_600 }, owner.identity);
  const offer = { task_id: taskId, to_agent_id: OFFERED_TO, note: 'owner-note' };
  const { handoff_id } = await hub.result('handoff/offer', offer, owner.identity);
  const claimed = await hub.result('handoff/claim', { handoff_id }, friend.identity);
  const owned: Owned = {
    agentId: 'owner',
    token: owner.token,
    sessionId: owner.sessionId,
    taskId,
    handoffId: String(handoff_id),
    leaseToken: String(claimed['lease_token']),
    pushId: 'owner-push',
  };
  const ownView = async (): Promise<string> => {
    const seen = [
      await hub.result('GetTask', { id: taskId }, v1),
      await hub.result('ListTasks', {}, v1),
      await hub.result('ListTaskPushNotificationConfigs', { taskId }, v1),
      await hub.result('handoff/get', { handoff_id }, controller.identity),
      await hub.result('handoff/list', {}, friend.identity),
      await hub.result('fleet/status', {}, controller.identity),
      await hub.result('tasks/get', { handoff_id, lease_token: owned.leaseToken }, friend.identity),
      (await hub.get(`/api/v1/status?session_id=${owned.sessionId}`, owner.identity)).body['session'],
      await hub.store.getRecord('hub-agents', 'owner'),
    ];
    return seen.map((each) => JSON.stringify(each, undefined, 1)).join('\n');
  };
  const ownRecords = async (): Promise<string> => {
    const { store } = hub;
    const read = await Promise.all([
      store.readTask(taskId),
      store.listRecords('push-targets', taskId),
      ...OWN_RECORDS.map(([namespace, key]) => store.getRecord(namespace, key(owned))),
    ]);
    expect(read, 'each record is there').not.toContain(undefined);
    return JSON.stringify(read);
  };
  return { hub, owned, callers: { owner, stranger, otherController }, ownView, ownRecords };
}

const OWN_RECORDS: readonly (readonly [string, (owned: Owned) => string])[] = [
  ['hub-agents', ({ agentId }) => agentId],
  ['hub-agents', () => OFFERED_TO],
  ['hub-agents', () => CONTROLLER],
  ['hub-heartbeats', ({ agentId }) => agentId],
  ['hub-latest-sessions', ({ agentId }) => agentId],
  ['hub-sessions', ({ sessionId }) => sessionId],
  ['hub-handoffs', ({ handoffId }) => handoffId],
  ['push-targets', ({ taskId, pushId }) => `${taskId}/${pushId}`],
];

/** What each parameter is set to: the owner's where it names something, harmless words elsewhere. */
const VALUES: Readonly<Record<string, (owned: Owned) => unknown>> = {
  agent_id: ({ agentId }) => agentId,
  agent_name: () => 'taken over',
  source: () => 'test',
  context_id: ({ sessionId }) => sessionId,
  controller_id: () => CONTROLLER,
  ref_agent_id: ({ agentId }) => agentId,
  referral_channel: () => 'test',
  skills: () => ['owner-skill'],
  rotate_token: () => true,
  include_token: () => true,
  new_session: () => true,
  metadata: ({ agentId, sessionId }) => ({ agent_id: agentId, session_id: sessionId }),
  configuration: ({ agentId, sessionId }) => ({ agentId, sessionId }),
  message: () => ({ parts: [{ text: 'go on' }] }),
  text: () => 'go on',
  session_id: ({ sessionId }) => sessionId,
  task_id: ({ taskId }) => taskId,
  handoff_id: ({ handoffId }) => handoffId,
  lease_token: ({ leaseToken }) => leaseToken,
  to_agent_id: () => 'stranger',
  to_skill: () => undefined,
  to_unregistered: () => true,
  note: () => 'for me',
  reason: () => 'for me',
  reflection: () => 'what stands?',
  focus: () => 'what stands?',
  status: () => 'fine',
  blockers: () => 'none',
  notes: () => 'none',
  filter: () => 'all',
  limit: () => 10,
  after: () => '',
  cursor: () => undefined,
  expires_in_seconds: () => 60,
  lease_seconds: () => 60,
  errors_last_hour: () => 1,
  latency_ms_p95: () => 1,
  queue_depth: () => 1,
  cadence_seconds: () => 5,
  recorded_at: () => undefined,
  packet: () => 'handoff_packet',
  response_contract: () => 'handoff',
  handoff: () => true,
  handoff_packet: () => true,
  include_handoff: () => true,
  include_handoff_packet: () => true,
  mode: () => 'neutral',
  profile: () => 'full',
  response_mode: () => 'standard',
  minimal_response: () => false,
  include_artifacts: () => true,
  include_nudge: () => true,
  embed_tool_schemas: () => 'off',
  legacy_contract: () => false,
  blocking: () => true,
  tool_name: () => 'reflect',
  health: () => undefined,
  type: () => undefined,
  alarm_id: ({ agentId }) => `${agentId}-1800000000000`,
};

/** What a request may name of another's: alone, these are tried one at a time. */
const NAMING = [
  'agent_id',
  'session_id',
  'context_id',
  'task_id',
  'handoff_id',
  'metadata',
  'configuration',
] as const;

/** All parameters at once, all but those that name something, and each of those that do alone. */
function variants(accepts: readonly string[], owned: Owned): JsonObject[] {
  const filled = (names: readonly string[]): JsonObject =>
    Object.fromEntries(
      names.map((name) => [name, VALUES[name]?.(owned)]).filter(([, value]) => value !== undefined),
    );
  const plain = accepts.filter((name) => !NAMING.some((each) => each === name) && name !== 'lease_token');
  const toTask = { message: { parts: [{ text: 'go on' }], taskId: owned.taskId } };
  const lease = accepts.includes('lease_token') ? ['lease_token'] : [];
  return [
    filled(accepts),
    filled(plain),
    ...(accepts.includes('message') ? [toTask] : []),
    ...NAMING.filter((name) => accepts.includes(name)).flatMap((name) => [
      filled([...plain, name]),
      filled([name, ...lease]),
    ]),
  ];
}

/** The requests of an A2A operation, of 1.0 and of 0.3, that aim at the owner's task. */
const A2A_REQUESTS: Readonly<Record<OperationName, (owned: Owned) => readonly [JsonObject[], JsonObject[]]>> =
  {
    sendMessage: (owned) => messages(owned),
    sendStreamingMessage: (owned) => messages(owned),
    getTask: ({ taskId }) => [[{ id: taskId }], [{ id: taskId, historyLength: 10 }]],
    listTasks: ({ sessionId }) => [[{}, { contextId: sessionId }], []],
    cancelTask: ({ taskId }) => [[{ id: taskId }], [{ id: taskId }]],
    subscribeToTask: ({ taskId }) => [[{ id: taskId }], [{ id: taskId }]],
    createTaskPushNotificationConfig: ({ taskId, pushId }) => [
      [{ taskId, id: pushId, url: 'http://127.0.0.1:49150/stranger' }],
      [{ taskId, pushNotificationConfig: { id: pushId, url: 'http://127.0.0.1:49150/stranger' } }],
    ],
    getTaskPushNotificationConfig: ({ taskId, pushId }) => [
      [{ taskId, id: pushId }],
      [{ id: taskId, pushNotificationConfigId: pushId }],
    ],
    listTaskPushNotificationConfigs: ({ taskId }) => [[{ taskId }], [{ id: taskId }]],
    deleteTaskPushNotificationConfig: ({ taskId, pushId }) => [
      [{ taskId, id: pushId }],
      [{ id: taskId, pushNotificationConfigId: pushId }],
    ],
    getExtendedAgentCard: () => [[{}], [{}]],
  };

function messages({ taskId, sessionId }: Owned): [JsonObject[], JsonObject[]] {
  const places = [{ taskId }, { contextId: sessionId }, { referenceTaskIds: [taskId] }];
  return [
    places.map((place) => ({
      message: { messageId: 'stranger-1', role: 'ROLE_USER', parts: [{ text: 'go on' }], ...place },
    })),
    places.map((place) => ({
      message: {
        kind: 'message',
        messageId: 'stranger-1',
        role: 'user',
        parts: [{ kind: 'text', text: 'go on' }],
        ...place,
      },
    })),
  ];
}

/** One HTTP request of the stranger, without its identity. */
interface Aimed {
  readonly what: string;
  readonly verb: string;
  readonly path: string;
  readonly headers?: CallerHeaders;
  readonly body?: JsonObject;
}

function call(what: string, path: string, method: string, params: JsonObject, version?: string): Aimed {
  return {
    what,
    verb: 'POST',
    path,
    ...(version !== undefined && { headers: { 'A2A-Version': version } }),
    body: { jsonrpc: '2.0', id: 1, method, params },
  };
}

const REGISTER = 'agents/register';

/** Every request, by what it is sent to. */
function aimedRequests({ hub, owned }: Scene): Aimed[] {
  const methods = hub.hub.methods.flatMap(({ name, spec }) =>
    variants(spec.accepts, owned).map((params) => call(name, '/v1/a2a', name, params)),
  );
  const operations = OPERATION_NAMES.flatMap((operation) => {
    const { method, v03 } = OPERATIONS[operation];
    const [now, legacy] = A2A_REQUESTS[operation](owned);
    return [
      ...now.map((params) => call(method, '/v1/a2a', method, params, '1.0')),
      ...(v03 === undefined
        ? []
        : legacy.map((params) => call(`${v03.method} of 0.3`, '/v1/a2a', v03.method, params, '0.3'))),
    ];
  });
  const tools = HUB_TOOLS.map(describeTool).flatMap(({ name, inputSchema }) =>
    variants(Object.keys(asObject(inputSchema['properties'])), owned).flatMap((input) => [
      call(`tool ${name}`, '/v1/mcp', 'tools/call', { name, arguments: input }),
      call(`tool ${name} in a batch`, '/v1/mcp', 'tools/batch', {
        calls: [{ name, arguments: input }],
        session_id: owned.sessionId,
      }),
    ]),
  );
  const routes = hub.hub.routes.flatMap(({ verb, path, query = {} }) =>
    variants([...Object.keys(query), ...segmentsOf(path)], owned).map((values): Aimed => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String(values[name] ?? VALUES[name]?.(owned))),
      );
      const asked = Object.entries(values).filter(([name]) => name in query);
      const search = new URLSearchParams(
        Object.fromEntries(asked.map(([name, value]) => [name, String(value)])),
      );
      return {
        what: `${verb} ${path}`,
        verb,
        path: asked.length === 0 ? filled : `${filled}?${search.toString()}`,
        ...(verb === 'POST' && { body: variants(Object.keys(VALUES), owned)[0] ?? {} }),
      };
    }),
  );
  // Registering comes last, because it may change the token that the stranger calls with.
  return [...operations, ...tools, ...routes, ...methods].toSorted(
    (left, right) => Number(left.what === REGISTER) - Number(right.what === REGISTER),
  );
}

function segmentsOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

async function send(hub: TestHub, { verb, path, headers, body }: Aimed, caller: CallerHeaders) {
  const response = await fetch(`${hub.url}${path}`, {
    method: verb,
    headers: { 'Content-Type': 'application/json', ...headers, ...caller },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  return { status: response.status, text: await response.text() };
}

/** What is the owner's alone: whatever the stranger has not sent itself must not be in an answer. */
function secretsOf({ token, sessionId, taskId, handoffId, leaseToken, pushId }: Owned): string[] {
  const texts = [
    'request-text',
    'artifact-text',
    'question',
    'note',
    'webhook',
    'push-token',
    'name',
    'friend',
  ];
  return [
    token,
    sessionId,
    taskId,
    handoffId,
    leaseToken,
    pushId,
    ...texts.map((text) => `owner-${text}`),
    String(ERRORS),
  ];
}

test('every parameter of every method, tool and route has a value to try', async () => {
  const { hub } = await startScene();
  const names = [
    ...hub.hub.methods.flatMap(({ name, spec }) => spec.accepts.map((each) => [name, each])),
    ...HUB_TOOLS.map(describeTool).flatMap(({ name, inputSchema }) =>
      Object.keys(asObject(inputSchema['properties'])).map((each) => [name, each]),
    ),
    ...hub.hub.routes.flatMap(({ path, query = {} }) =>
      [...Object.keys(query), ...segmentsOf(path)].map((each) => [path, each]),
    ),
  ];
  expect(names.filter(([, parameter = '']) => !(parameter in VALUES))).toEqual([]);
});

test.each(Object.entries(ATTEMPTS))(
  'a stranger learns and changes nothing of the owner, whatever it sends where, %s',
  async (how, headersOf) => {
    const scene = await startScene();
    const { hub, owned, ownView, ownRecords } = scene;
    const [before, recordsBefore] = [await ownView(), await ownRecords()];
    const requests = aimedRequests(scene);
    const leaks: string[] = [];
    const answered = new Set<string>();
    const caller = headersOf(scene.callers);
    let sent = JSON.stringify(caller);
    for (const [what, aimed] of Map.groupBy(requests, (request) => request.what)) {
      for (const request of aimed) {
        const { status, text } = await send(hub, request, caller);
        sent += JSON.stringify(request);
        if (text.includes('"result"') && !text.includes('"isError"')) answered.add(what);
        const told = secretsOf(owned).filter((secret) => text.includes(secret) && !sent.includes(secret));
        if (told.length > 0) leaks.push(`${what}: ${told.join(', ')} in ${text.slice(0, 300)}`);
        if (status >= 500) leaks.push(`${what}: HTTP ${status}`);
      }
      expect(await ownRecords(), what).toBe(recordsBefore);
    }
    expect(await ownView()).toBe(before);
    expect(leaks).toEqual([]);
    expect(requests.length).toBeGreaterThan(150);
    // In its own name the stranger is answered: the requests are not malformed, and its token is good.
    if (how === AS_ITSELF) expect([...answered]).toEqual(expect.arrayContaining(ANSWERED));
  },
);

const ANSWERED = [
  REGISTER,
  'message/send',
  'heartbeat/bundle',
  'handoff/list',
  'fleet/status',
  'SendMessage',
  'ListTasks',
  'tool reflect',
];

test("the owner's identity is refused wherever A2A is served without the hub", async () => {
  const { hub, owned } = await startScene();
  const { body: card } = await hub.get('/.well-known/agent-card.json', { 'A2A-Version': '1.0' });
  const interfaces = card['supportedInterfaces'] as { url: string; protocolBinding: string }[];
  const base = (binding: string): string =>
    interfaces.find(({ protocolBinding }) => protocolBinding === binding)?.url.slice(hub.url.length) ?? '';
  const identity = { 'x-delx-agent-id': owned.agentId, 'x-delx-agent-token': owned.token, ...OUR_KEY };
  for (const operation of OPERATION_NAMES) {
    const { method, rest, v03 } = OPERATIONS[operation];
    const [[params = {}], [legacy = {}]] = A2A_REQUESTS[operation](owned).map((each) => [...each]) as [
      JsonObject[],
      JsonObject[],
    ];
    const path = rest.path.replace('{id}', owned.pushId).replaceAll(/\{\w+\}/g, owned.taskId);
    const requests: Aimed[] = [
      call(method, base('JSONRPC'), method, params, '1.0'),
      ...(v03 === undefined ? [] : [call(v03.method, base('JSONRPC'), v03.method, legacy, '0.3')]),
      ...rest.verbs.map((verb) => ({
        what: path,
        verb,
        path: `${base('HTTP+JSON')}/${path}`,
        headers: { 'A2A-Version': '1.0' },
        ...(verb === 'POST' && { body: params }),
      })),
    ];
    for (const request of requests) {
      const { status, text } = await send(hub, request, identity);
      expect({ what: request.what, path: request.path, status }).toMatchObject({ status: 401 });
      expect(text).toContain('urn:holdword:a2a:hub:v1');
    }
  }
});

test('the name of a controller that nobody had registered gives power over no agent', async () => {
  const { hub } = await startScene();
  for (const [index, headers] of [OUR_KEY, { 'x-api-key': 'operator' }].entries()) {
    const early = await enter(hub, `early-${index}`, headers, { controller_id: 'not-yet' });
    await hub.result('message/send', { message: 'ask owner-request-text' }, early.identity);
  }
  const late = await enter(hub, 'not-yet', THEIR_KEY);
  expect(await hub.result('fleet/status', {}, late.identity)).toMatchObject({ agents: [] });
});
