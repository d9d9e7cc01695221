import type { AgentDescription } from '../agent-description.ts';
import { serveRuntime, type ServedAgent, type ServeRuntimeOptions } from '../serve/serve-runtime.ts';
import type { AgentAdapter } from './agent-adapter.ts';

export interface ServeAgentOptions extends Omit<ServeRuntimeOptions, 'runtime' | 'publicUrl'> {
  agent: AgentAdapter;
  /** What the card says, instead of what the agent says; `url` is where others reach it, if not at host and port. */
  card?: Partial<AgentDescription> & { url?: string };
}

/** Serves an agent over A2A. Closing it ends the serving; the agent is closed by whoever opened it. */
export async function serveAgent({ agent, card = {}, ...options }: ServeAgentOptions): Promise<ServedAgent> {
  const { runtime } = await agent.start();
  const { url, ...texts } = card;
  const { operations, pushKeys } = runtime;
  return serveRuntime({
    ...options,
    ...(url !== undefined && { publicUrl: url }),
    runtime: { operations, agent: { ...runtime.agent, ...texts }, ...(pushKeys && { pushKeys }) },
  });
}
