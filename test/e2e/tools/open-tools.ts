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

/** The tools of a model for these agents; closed when the test ends. */
export function openTools(
  agents: Record<string, AgentEntry | TestAgent>,
  { session, ...options }: A2AToolsOptions & { session?: A2ASessionOptions } = {},
): A2ATools {
  const entries = Object.entries(agents).map(([agentId, agent]): [string, AgentEntry] => [
    agentId,
    'target' in agent ? { url: agent.target.baseUrl } : agent,
  ]);
  const known = new A2AAgents(Object.fromEntries(entries));
  onTestFinished(() => known.close());
  return new A2ATools(new A2ASession(known, session), options);
}

/** Starts a task without waiting for its end. Resolves with its id once it is running. */
export async function startTask(tools: A2ATools, agentId: string, message: string): Promise<string> {
  const running = Promise.withResolvers<string>();
  const stopWaiting = new AbortController();
  const options = {
    signal: stopWaiting.signal,
    onUpdate: (update: V03Event) => {
      running.resolve(update.kind === 'task' ? update.id : (update.taskId ?? ''));
      stopWaiting.abort();
    },
  };
  tools
    .sendMessage(agentId, message, null, null, null, options)
    .then((result) => running.reject(new Error(`Expected a running task, found ${JSON.stringify(result)}`)))
    .catch(() => {});
  return running.promise;
}
