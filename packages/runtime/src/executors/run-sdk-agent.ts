import {
  RequestContext,
  ServerCallContext,
  toSdkSendMessageRequest,
  toSdkTask,
  type AgentExecutor,
} from '@holdword/protocol/internal/sdk';
import type { Owner, Sink, Turn } from './executor.ts';
import { SdkEventBus } from './sdk-event-bus.ts';

/** Runs one turn of an agent written for `@a2a-js/sdk`. */
export async function runSdkAgent(agent: AgentExecutor, turn: Turn, sink: Sink): Promise<void> {
  // Aborted while the SDK was loading: the end of the turn is already journaled.
  if (turn.signal.aborted) return;
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
}

/** The end of an aborted turn is already journaled: an agent that fails to stop does not change it. */
async function cancelQuietly(agent: AgentExecutor, taskId: string, bus: SdkEventBus): Promise<void> {
  try {
    await agent.cancelTask(taskId, bus);
  } catch {
    // It runs until its execute returns; events it still publishes are kept as late.
  }
}

function requestContext(turn: Turn): RequestContext {
  const { taskId, contextId, message, configuration, metadata, owner, task } = turn;
  const request = toSdkSendMessageRequest({ message, configuration, metadata, tenant: owner.tenant });
  // The SDK passes a task from its second turn on.
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
