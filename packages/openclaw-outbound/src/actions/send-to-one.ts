import { mayHaveArrived, minimizeText } from '@holdword/client/internal';
import { isA2AError } from '@holdword/protocol';
import { cancelInBackground } from '../calls/cancel-in-background.ts';
import { openRemoteCall, withFreshCredentials } from '../calls/remote-call.ts';
import { deliver, type Delivery } from '../calls/deliver.ts';
import { EventLog } from '../calls/event-log.ts';
import type { Reply } from '../calls/reply.ts';
import { requestTime } from '../calls/request-time.ts';
import { updateReporter } from '../calls/update-reporter.ts';
import type { Destination } from '../destinations/destination.ts';
import { resolveDestination } from '../destinations/resolve-destination.ts';
import { nextRoute } from '../loop-guard/next-route.ts';
import { buildMessage } from '../messages/build-message.ts';
import type { PendingMessage } from '../messages/message-ids.ts';
import { isStopped } from '../results/call-error.ts';
import type { Outcome } from '../results/outcome.ts';
import { RemoteAgentError } from '../results/remote-agent-error.ts';
import { replyOutcome } from '../results/reply-outcome.ts';
import { replyText } from '../results/reply-text.ts';
import { sendError } from '../results/send-error.ts';
import type { Services } from '../services.ts';
import { addressKey } from '../targets/target.ts';
import type { ToolCall } from './action.ts';

/** Sends a message to one agent. */
export async function sendToOne(action: ToolCall, services: Services): Promise<Outcome> {
  const { request, signal, onUpdate } = action;
  const { limits, policy } = services.config;
  using limit = requestTime(request, services.config, signal);
  const destination = await resolveDestination(request, services);
  const { target } = destination;
  const route = await nextRoute(request.metadata, action.sessionKey, services);
  const pending = await messageIdFor(action, destination, services);
  const call = openRemoteCall(services, {
    target,
    limit,
    serviceParameters: request.service_parameters,
    onEvent: updateReporter('send', target, onUpdate),
  });
  const delivery: Delivery = {
    follows: request.follow_updates === true,
    needsTask: request.task_requirement === 'required',
    blocking: request.blocking,
    answered: destination.known,
    log: new EventLog({ keptCharacters: limits.rawCharacters, allCharacters: limits.streamBytes }),
    messageFor: (returnImmediately) =>
      buildMessage({
        request,
        destination,
        messageId: pending.messageId,
        route,
        acceptedOutputModes: policy.acceptedOutputModes,
        returnImmediately,
      }),
  };
  try {
    const reply = await withFreshCredentials(services, target, () => deliver(call, delivery));
    pending.settle();
    if (delivery.needsTask) requireTask(reply, limits.rawCharacters);
    return await replyOutcome(target, reply, services);
  } catch (error) {
    if (isFinal(error, delivery) || isStopped(limit)) pending.settle();
    else pending.keepForRetry();
    if (isStopped(limit) && delivery.sent !== undefined) {
      const taskId = delivery.view?.id ?? destination.taskId;
      cancelInBackground(services, call, { taskId, request: delivery.sent });
    }
    throw await sendError(error, { call, delivery, request, services });
  }
}

/** An id chosen by the model is used as is. */
async function messageIdFor(
  { request, toolCallId, sessionKey }: ToolCall,
  { target, taskId, contextId }: Destination,
  { messageIds }: Services,
): Promise<PendingMessage> {
  const { message_id: messageId, parts, reference_task_ids: references, metadata } = request;
  if (messageId !== undefined) return { messageId, settle: () => {}, keepForRetry: () => {} };
  const intent = [sessionKey, addressKey(target), parts, taskId, contextId, references, metadata];
  return messageIds.begin(intent, toolCallId);
}

/** Whether the agent accepted or rejected the message. If that is unknown, the message may be sent again. */
function isFinal(error: unknown, { view }: Delivery): boolean {
  if (error instanceof RemoteAgentError || view !== undefined) return true;
  return isA2AError(error) && !mayHaveArrived(error);
}

function requireTask({ content }: Reply, characterLimit: number): void {
  if ('task' in content) return;
  const { contextId } = content.message;
  throw new RemoteAgentError(
    'TASK_REQUIRED_BUT_MESSAGE_RETURNED',
    'task_requirement="required", but the agent returned a message instead of a task',
    {
      response_kind: 'message',
      message_text: minimizeText(replyText(content), { characterLimit }).text,
      ...(contextId !== undefined && { context_id: contextId }),
      suggested_action: 'send',
      hint: 'The agent has already answered: use message_text, or send again without task_requirement.',
    },
  );
}
