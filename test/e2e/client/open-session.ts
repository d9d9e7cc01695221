import {
  A2AAgents,
  A2ASession,
  type A2AAgentsOptions,
  type A2ASessionOptions,
  type AgentEntry,
} from '@holdword/client';
import { onTestFinished } from 'vitest';

/** Opens a session with one agent with the id `agent`. Closed when the test ends. */
export function openSession(
  entry: string | AgentEntry,
  { agents: agentOptions, ...options }: A2ASessionOptions & { agents?: A2AAgentsOptions } = {},
): A2ASession {
  const agents = new A2AAgents({ agent: typeof entry === 'string' ? { url: entry } : entry }, agentOptions);
  onTestFinished(() => agents.close());
  return new A2ASession(agents, options);
}
