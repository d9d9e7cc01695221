import { checkArgument, hasMethods } from '@holdword/protocol/internal';
import type { AgentExecutor } from '@holdword/protocol/internal/sdk';
import { z } from 'zod';
import type { AgentDescription } from '../agent-description.ts';
import type { Executor } from './executor.ts';

/** Options of `sdkAgentExecutor`. */
export interface SdkAgentExecutorOptions {
  /** The part of the agent card that the agent defines. */
  card?: AgentDescription;
  /**
   * Whether the agent may answer with a message instead of a task, as in the SDK. If false, every task is on disk before
   * the agent starts.
   *
   * @default true
   */
  answersDirectly?: boolean;
}

const agentSchema = z.custom<AgentExecutor>(
  (value) => hasMethods(value, 'execute', 'cancelTask'),
  'expected an AgentExecutor of @a2a-js/sdk, an object with execute and cancelTask',
);

/**
 * Runs an agent written for `@a2a-js/sdk`. The events it publishes are journaled, and its `cancelTask` is called when the
 * task is canceled or the server stops. The turn ends when its `execute` returns.
 *
 * @example
 * ```ts
 * const agent: Parameters<typeof sdkAgentExecutor>[0] = {
 *   async execute(_context, eventBus) {
 *     eventBus.finished();
 *   },
 *   async cancelTask() {},
 * };
 * const executor = sdkAgentExecutor(agent, { card: { name: 'Mine', description: 'An agent on the SDK.' } });
 * ```
 * @throws TypeError if the agent is not one of the SDK.
 */
export function sdkAgentExecutor(agent: AgentExecutor, options: SdkAgentExecutorOptions = {}): Executor {
  checkArgument('sdkAgentExecutor(agent)', agentSchema, agent);
  const { card, answersDirectly = true } = options;
  // Loaded here and not with the package: programs that serve other agents do not need the SDK.
  const loading = import('./run-sdk-agent.ts');
  // If it cannot be loaded, every turn fails.
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
