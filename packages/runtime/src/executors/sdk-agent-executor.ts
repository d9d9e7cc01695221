import type { AgentExecutor } from '@holdword/protocol/internal/sdk';
import type { AgentDescription } from '../agent-description.ts';
import type { Executor } from './executor.ts';

export interface SdkAgentExecutorOptions {
  /** What the agent says of itself: its class cannot. */
  card?: AgentDescription;
  /**
   * Whether the agent may answer with a message instead of a task; true by default, as in the SDK. With false every task
   * is on disk before the agent starts.
   */
  answersDirectly?: boolean;
}

/**
 * Runs an agent written for `@a2a-js/sdk`: what it publishes is journaled, and its `cancelTask` is called when the task is
 * cancelled or the server stops. The turn lasts until its `execute` returns.
 */
export function sdkAgentExecutor(agent: AgentExecutor, options: SdkAgentExecutorOptions = {}): Executor {
  const { card, answersDirectly = true } = options;
  // Loaded from here on, not with this package: programs that serve other agents do without the SDK.
  const loading = import('./run-sdk-agent.ts');
  // A failure to load it is that of each turn.
  loading.catch(() => {});
  return {
    ...(card && { card }),
    answersDirectly: () => answersDirectly,
    async execute(turn, sink) {
      const { runSdkAgent } = await loading;
      await runSdkAgent(agent, turn, sink);
    },
  };
}
