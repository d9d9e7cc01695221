import {
  RequestContext,
  ServerCallContext,
  toSdkSendMessageRequest,
  toSdkTask,
  type AgentExecutor,
} from '@holdword/protocol/sdk';
import type { AgentDescription } from '../agent-description.ts';
import type { Executor, Owner, Turn } from './executor.ts';
import { SdkEventBus } from './sdk-event-bus.ts';

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
  return {
    ...(card && { card }),
    answersDirectly: () => answersDirectly,
    async execute(turn, sink) {
      const bus = new SdkEventBus(turn, sink);
      const cancel = (): void => void cancelQuietly(agent, turn.taskId, bus);
      turn.signal.addEventListener('abort', cancel, { once: true });
      try {
        await agent.execute(requestContext(turn), bus);
      } finally {
        turn.signal.removeEventListener('abort', cancel);
        bus.finished();
        bus.removeAllListeners();
      }
      bus.throwRejection();
    },
  };
}

/** The end of an aborted turn is journaled already: an agent that fails to stop changes nothing about it. */
async function cancelQuietly(agent: AgentExecutor, taskId: string, bus: SdkEventBus): Promise<void> {
  try {
    await agent.cancelTask(taskId, bus);
  } catch {
    // It goes on until its execute returns; what it still publishes is kept as late.
  }
}

function requestContext(turn: Turn): RequestContext {
  const { taskId, contextId, message, configuration, metadata, owner, task } = turn;
  const request = toSdkSendMessageRequest({ message, configuration, metadata, tenant: owner.tenant });
  // The SDK gives a task from its second turn on.
  const earlier = task.history !== undefined && task.history.length > 1 ? toSdkTask(task) : undefined;
  return new RequestContext(request, taskId, contextId, callContext(owner), earlier);
}

function callContext({ tenant, caller, authenticated }: Owner): ServerCallContext {
  return new ServerCallContext({
    user: { isAuthenticated: authenticated, userName: authenticated ? caller : '' },
    requestedVersion: '1.0',
    ...(tenant !== '' && { tenant }),
  });
}
