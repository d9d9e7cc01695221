import type { AgentConnection } from '@holdword/client/internal';
import type { Task } from '@holdword/protocol';
import { callError } from '../calls/call-error.ts';
import {
  checkTaskId,
  peerOptions,
  requestTime,
  withFreshCredentials,
  type RemoteCall,
} from '../calls/remote-call.ts';
import { RemoteAgentError } from '../remote-agent-error.ts';
import { resolveDestination } from '../request/resolve-destination.ts';
import { replyOutcome, type Outcome } from '../results/outcome.ts';
import { openCall, type ActionHandler, type Services, type ToolCall } from './action.ts';

/** Fetches the current state of a task. */
export const status: ActionHandler = (action, services) => {
  const { history_length: historyLength } = action.request;
  return requestTask(action, services, ({ peer }, id, call) =>
    peer.get({ id, ...(historyLength !== undefined && { historyLength }) }, peerOptions(call)),
  );
};

/** Asks the agent to cancel the task. */
export const cancel: ActionHandler = (action, services) =>
  requestTask(action, services, ({ peer }, id, call) => peer.cancel({ id }, peerOptions(call)));

/** Runs a request that the agent answers with the task. */
function requestTask(
  action: ToolCall,
  services: Services,
  send: (connection: AgentConnection, taskId: string, call: RemoteCall) => Promise<Task>,
): Promise<Outcome> {
  return followUp(action, services, (call, taskId) =>
    withFreshCredentials(services.connections, call.target, async () => {
      const connection = await call.connect(0);
      const task = await send(connection, taskId, call);
      checkTaskId(task.id, taskId);
      const { streaming } = connection.card.capabilities;
      return replyOutcome(call.target, { content: { task }, streaming }, services);
    }),
  );
}

/** Runs an operation on a task within the request's timeout and turns failures into the tool's errors. */
export async function followUp(
  action: ToolCall,
  services: Services,
  run: (call: RemoteCall, taskId: string) => Promise<Outcome>,
): Promise<Outcome> {
  const { request, signal } = action;
  using limit = requestTime(request, services.config, signal);
  const { target, taskId } = await resolveDestination(request, services);
  if (taskId === undefined) throw new RemoteAgentError('INTERNAL_ERROR', 'the request has no task id');
  try {
    return await run(openCall(action, target, limit, services), taskId);
  } catch (error) {
    throw callError(error, limit);
  }
}
