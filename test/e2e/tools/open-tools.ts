import {
  A2AAgents,
  A2ASession,
  A2ATools,
  type A2ASessionOptions,
  type A2AToolsOptions,
  type AgentEntry,
  type V03Event,
} from '@holdword/client';
import { onTestFinished } from 'vitest';
import { startAgent, type AgentOptions } from '../../support/start-agent.ts';
import type { TestAgent } from '../../support/test-agent.ts';

/** A server for one test. */
export async function startTestAgent(options: AgentOptions = {}): Promise<TestAgent> {
  const agent = await startAgent({ store: 'memory', ...options });
  onTestFinished(() => agent.close());
  return agent;
}

/** The tools of a model that knows these agents, closed when the test ends. */
export function openTools(
  agents: Record<string, AgentEntry | TestAgent>,
  options: A2AToolsOptions & { session?: A2ASessionOptions } = {},
): A2ATools {
  const entries = Object.entries(agents).map(([agentId, agent]): [string, AgentEntry] => [
    agentId,
    'target' in agent ? { url: agent.target.baseUrl } : agent,
  ]);
  const known = new A2AAgents(Object.fromEntries(entries));
  onTestFinished(() => known.close());
  return new A2ATools(new A2ASession(known, options.session), options);
}

/** Gives an agent work and does not wait for its end; gives the id of the task once it runs. */
export async function startTask(tools: A2ATools, agentId: string, message: string): Promise<string> {
  const running = Promise.withResolvers<string>();
  const left = new AbortController();
  const options = {
    signal: left.signal,
    onUpdate: (update: V03Event) => {
      running.resolve(update.kind === 'task' ? update.id : (update.taskId ?? ''));
      left.abort();
    },
  };
  tools
    .sendMessage(agentId, message, null, null, null, options)
    .then((result) => running.reject(new Error(`Expected a task that runs, found ${JSON.stringify(result)}`)))
    .catch(() => {});
  return running.promise;
}
