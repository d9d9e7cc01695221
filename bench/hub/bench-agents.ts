import { callJson } from '../load/call-json.ts';
import { Connection } from '../load/connection.ts';

/** A registered agent. */
export interface BenchAgent {
  readonly agentId: string;
  readonly sessionId: string;
  /** The headers that identify the caller. */
  readonly headers: Record<string, string>;
}

interface Registered {
  session_id: string;
  identity_auth: { token: string };
}

/** Registers agents whose names start with `prefix`. */
export async function registerAgents(url: URL, prefix: string, count: number): Promise<BenchAgent[]> {
  using connection = await Connection.open(url);
  const agents: BenchAgent[] = [];
  for (let index = 0; index < count; index += 1) {
    const agentId = `${prefix}${index}`;
    const result = await callJson(connection, url, {
      method: 'agents/register',
      params: { agent_id: agentId, source: 'bench', controller_id: 'bench' },
    });
    const { session_id: sessionId, identity_auth: identity } = result as Registered;
    const headers = { 'x-delx-agent-id': agentId, 'x-delx-agent-token': identity.token };
    agents.push({ agentId, sessionId, headers });
  }
  return agents;
}
