import type { Exchange } from '../load/closed-loop.ts';
import type { Connection } from '../load/connection.ts';
import { RequestTemplate, type JsonRpcRequest } from '../load/request-template.ts';
import type { BenchAgent } from './bench-agents.ts';
import { ResultResponseCheck } from './result-response-check.ts';

/** One kind of request, and the fields its result must have. */
export interface HubRequest {
  readonly call: JsonRpcRequest;
  readonly fields: readonly string[];
}

/** A new agent each time. */
export const REGISTER: HubRequest = {
  call: {
    method: 'agents/register',
    params: { agent_id: RequestTemplate.id, agent_name: 'bench', source: 'bench', controller_id: 'bench' },
  },
  fields: ['agent_id', 'session_id', 'identity_auth'],
};

export const SEND: HubRequest = {
  call: {
    method: 'message/send',
    params: {
      message: {
        role: 'user',
        parts: [{ kind: 'text', text: 'We are stuck in a retry storm (429). Need a calm next step.' }],
      },
    },
  },
  fields: ['session_id', 'status', 'next_action'],
};

export const HEARTBEAT: HubRequest = {
  call: {
    method: 'heartbeat/bundle',
    params: { errors_last_hour: 3, latency_ms_p95: 1450, queue_depth: 9 },
  },
  fields: ['session_id', 'next_action'],
};

/** A heartbeat of a healthy agent. */
export const QUIET_HEARTBEAT: HubRequest = {
  call: { ...HEARTBEAT.call, params: { errors_last_hour: 0, latency_ms_p95: 100, queue_depth: 0 } },
  fields: HEARTBEAT.fields,
};

/** The same request without an agent, to a server that returns its parameters. */
export function echoExchange({ call }: HubRequest, url: URL): Exchange {
  const template = new RequestTemplate(url, call);
  return (connection) => exchange(connection, template, []);
}

/** The request of a different agent for each connection: two requests of one agent would wait for each other. */
export function agentExchange(
  { call, fields }: HubRequest,
  url: URL,
  agents: readonly BenchAgent[],
): Exchange {
  const templates = agents.map(({ headers }) => new RequestTemplate(url, { ...call, headers }));
  const taken = new Map<Connection, RequestTemplate>();
  return (connection) => {
    const template = taken.get(connection) ?? templates[taken.size % templates.length];
    if (template === undefined) throw new Error('At least one agent is needed.');
    taken.set(connection, template);
    return exchange(connection, template, fields);
  };
}

export function registerExchange(url: URL): Exchange {
  const template = new RequestTemplate(url, REGISTER.call);
  return (connection) => exchange(connection, template, REGISTER.fields);
}

async function exchange(
  connection: Connection,
  template: RequestTemplate,
  fields: readonly string[],
): Promise<number> {
  const { id, bytes } = template.next();
  await connection.exchange(bytes, new ResultResponseCheck(id, fields));
  return 1;
}
