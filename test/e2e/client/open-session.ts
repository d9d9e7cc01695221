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
  options: A2ASessionOptions & { agents?: A2AAgentsOptions } = {},
): A2ASession {
  const agents = new A2AAgents({ agent: typeof entry === 'string' ? { url: entry } : entry }, options.agents);
  onTestFinished(() => agents.close());
  return new A2ASession(agents, options);
}
