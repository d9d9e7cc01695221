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
import { replyFrom } from '../calls/reply.ts';
import { resolveTask, type TaskDestination } from '../request/resolve-destination.ts';
import { replyOutcome, type ReplyOutcome } from '../results/outcome.ts';
import { taskKey } from '../state/task-handles.ts';
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
): Promise<ReplyOutcome> {
  return followUp(action, services, (call, destination) =>
    withFreshCredentials(services.connections, call.target, async () => {
      const connection = await call.connect(0);
      const task = await send(connection, destination.taskId, call);
      checkTaskId(task.id, destination.taskId);
      return replyOutcome(destination, replyFrom(connection, { task }), services);
    }),
  );
}

/** Runs an operation on a task within the request's timeout and turns failures into the tool's errors. */
export async function followUp(
  action: ToolCall,
  services: Services,
  run: (call: RemoteCall, destination: TaskDestination) => Promise<ReplyOutcome>,
): Promise<ReplyOutcome> {
  const { request, signal } = action;
  using limit = requestTime(request, services.config, signal);
  const destination = await resolveTask(request, services);
  await services.messageIds.settleTask(taskKey({ address: destination.target, taskId: destination.taskId }));
  try {
    return await run(openCall(action, destination.target, limit, services), destination);
  } catch (error) {
    throw callError(error, limit);
  }
}
