import type { JsonObject } from '@holdword/protocol';
import { noAuthentication, startRuntime, type Executor } from '@holdword/runtime';
import { openMemoryStore } from '@holdword/store';
import { createHub, type Hub } from '../../packages/hub/src/hub.ts';
import type { HubRequestContext } from '../../packages/hub/src/wire/request-context.ts';

/** Asks once, so that its task can be handed over. */
const asking: Executor = {
  card: { name: 'Asking', description: 'Asks what comes next.' },
  execute: (_turn, sink) => sink.askInput('What comes next?'),
};

type Call = (method: string, params: JsonObject, agentId?: string) => Promise<JsonObject>;

/** The methods of a hub, and one real answer of each. */
export async function readHub(): Promise<{ hub: Hub; answers: ReadonlyMap<string, JsonObject> }> {
  const store = openMemoryStore();
  const runtime = await startRuntime({ store, executor: asking });
  const hub = createHub({
    store,
    operations: runtime.operations,
    baseUrl: 'http://127.0.0.1:4310',
    authentication: noAuthentication(),
    settings: { watchSeconds: 0 },
  });
  try {
    return { hub, answers: await callEverything(hub) };
  } finally {
    await hub.close();
    await runtime.stop({ graceMilliseconds: 0 });
  }
}

async function callEverything(hub: Hub): Promise<Map<string, JsonObject>> {
  const answers = new Map<string, JsonObject>();
  const tokens = new Map<string, string>();
  const call: Call = async (name, params, agentId) => {
    const method = hub.methods.find((each) => each.name === name);
    if (method === undefined) throw new Error(`There is no method ${name}.`);
    const answer = await method.handle(params, contextOf(agentId, tokens));
    // The first answer may lack what a later one has.
    answers.set(name, { ...answers.get(name), ...answer });
    return answer;
  };
  for (const agent_id of ['crew', 'runner-01', 'runner-02']) {
    const controller = agent_id === 'crew' ? {} : { controller_id: 'crew' };
    const { identity_auth } = await call('agents/register', { agent_id, ...controller });
    tokens.set(agent_id, String((identity_auth as JsonObject)['token']));
  }
  const sent = await call(
    'message/send',
    { message: 'Go on.', packet: 'handoff_packet', extra: 1 },
    'runner-01',
  );
  const task = { task_id: sent['id'] };
  await call('tasks/get', task, 'runner-01');
  const { handoff_id } = await call('handoff/offer', { ...task, to_agent_id: 'runner-02' }, 'runner-01');
  await call('handoff/list', {}, 'runner-02');
  const { lease_token } = await call('handoff/claim', { handoff_id }, 'runner-02');
  const lease = { handoff_id, lease_token };
  await call('handoff/ack', lease, 'runner-02');
  await call('message/send', { ...lease, message: 'Go on.' }, 'runner-02');
  await call('handoff/get', { handoff_id }, 'runner-01');
  await call('heartbeat/bundle', { errors_last_hour: 1 }, 'runner-01');
  const { id } = await call('message/send', { message: 'Still here.' }, 'runner-01');
  await call('handoff/release', { ...lease, reason: 'Out of time.' }, 'runner-02');
  await call('tasks/cancel', task, 'runner-01');
  await call('tasks/cancel', { task_id: id }, 'runner-01');
  const reported = await call('handoff/offer', { note: 'Go on.', to_agent_id: 'runner-02' }, 'runner-01');
  const claimed = await call('handoff/claim', { handoff_id: reported['handoff_id'] }, 'runner-02');
  const { lease_token: held } = claimed;
  await call('handoff/finish', { handoff_id: reported['handoff_id'], lease_token: held }, 'runner-02');
  await call('fleet/status', {}, 'crew');
  await call('methods/list', {});
  for (const method of ['agents/block', 'agents/unblock', 'agents/delete'])
    await call(method, { agent_id: 'runner-02' });
  return answers;
}

/** Without an agent, an operator calls. */
function contextOf(agentId: string | undefined, tokens: ReadonlyMap<string, string>): HubRequestContext {
  const headers = agentId && { 'x-delx-agent-id': agentId, 'x-delx-agent-token': tokens.get(agentId) ?? '' };
  return {
    headers: headers || {},
    peer: undefined,
    callerKey: '["","key:operator"]',
    isOperator: true,
    startedAt: performance.now(),
    signal: new AbortController().signal,
  };
}
