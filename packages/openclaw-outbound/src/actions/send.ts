import { mayHaveArrived } from '@holdword/client/internal';
import { isA2AError, isTerminal } from '@holdword/protocol';
import { taskStateSchema } from '@holdword/protocol/internal';
import { cancelInBackground } from '../calls/background-work.ts';
import { isStopped } from '../calls/call-error.ts';
import { deliver, type Delivery } from '../calls/deliver.ts';
import { EventLog } from '../calls/event-log.ts';
import { requestTime, withFreshCredentials } from '../calls/remote-call.ts';
import { type Reply, replyText } from '../calls/reply.ts';
import { RemoteAgentError } from '../remote-agent-error.ts';
import { buildMessage } from '../request/build-message.ts';
import { hasEnded } from '../request/continuation.ts';
import type { RemoteAgentRequest } from '../request/request.ts';
import { type Destination, resolveDestination } from '../request/resolve-destination.ts';
import { nextRoute } from '../request/route.ts';
import { cutText } from '../results/foreign-text.ts';
import {
  type Branch,
  branchesOutcome,
  branchOf,
  describeBranches,
  type Outcome,
  replyOutcome,
  succeeded,
} from '../results/outcome.ts';
import { sendError } from '../results/send-error.ts';
import type { PendingMessage } from '../state/message-ids.ts';
import { addressKey } from '../targets/target.ts';
import { openCall, type ActionHandler, type Services, type ToolCall } from './action.ts';

/** Sends a message to one agent or to several. */
export const send: ActionHandler = (action, services) => {
  const { target_aliases: aliases } = action.request;
  return aliases === undefined ? sendToOne(action, services) : sendToSeveral(aliases, action, services);
};

/** Sends a message to one agent. */
async function sendToOne(action: ToolCall, services: Services): Promise<Outcome> {
  const { request, signal } = action;
  const { limits, policy } = services.config;
  using limit = requestTime(request, services.config, signal);
  const destination = nextTask(await resolveDestination(request, services), request);
  const { target } = destination;
  const route = await nextRoute(request.metadata, action.sessionKey, services);
  const pending = await messageIdFor(action, destination, services);
  const call = openCall(action, target, limit, services);
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
    const reply = await withFreshCredentials(services.connections, target, () => deliver(call, delivery));
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

/**
 * Agents reject messages to a task that has ended. A message that follows up on one starts the next task of its conversation,
 * unless the request names the task by its id.
 */
function nextTask(
  destination: Destination,
  { continuation, task_id: taskId }: RemoteAgentRequest,
): Destination {
  const { target, contextId, known } = destination;
  const state = taskStateSchema.safeParse(known?.state);
  const ended =
    (state.success && isTerminal(state.data)) ||
    (continuation?.task !== undefined && hasEnded(continuation.task));
  return ended && taskId === undefined && contextId !== undefined ? { target, contextId } : destination;
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
      message_text: cutText(replyText(content), characterLimit),
      ...(contextId !== undefined && { context_id: contextId }),
      suggested_action: 'send',
      hint: 'The agent has already answered: use message_text, or send again without task_requirement.',
    },
  );
}

/**
 * Sends one message to several agents in parallel; each branch has its own continuation. With `collect: first` the first
 * successful answer aborts the other branches and cancels their tasks if they are known.
 */
async function sendToSeveral(
  aliases: readonly string[],
  { request, signal, ...action }: ToolCall,
  services: Services,
): Promise<Outcome> {
  const { target_aliases: _aliases, collect = 'all', ...shared } = request;
  const branches = aliases.map((alias) => {
    const abort = new AbortController();
    const branchSignal = signal === undefined ? abort.signal : AbortSignal.any([signal, abort.signal]);
    const branchCall = { ...action, signal: branchSignal, request: { ...shared, target_alias: alias } };
    return { abort, done: branchOf({ target_alias: alias }, sendToOne(branchCall, services)) };
  });
  let first: Branch | undefined;
  const all = await Promise.all(
    branches.map(async ({ done }) => {
      const branch = await done;
      if (collect === 'first' && first === undefined && succeeded(branch)) {
        first = branch;
        for (const other of branches) if (other.done !== done) other.abort.abort();
      }
      return branch;
    }),
  );
  const shown = first === undefined ? all : [first];
  if (!shown.some(succeeded)) throw allFailed(all);
  const stopped = all.filter((branch) => !shown.includes(branch)).map(({ label }) => label['target_alias']);
  return branchesOutcome({ collect, ...(stopped.length > 0 && { stopped }) }, shown);
}

function allFailed(branches: readonly Branch[]): RemoteAgentError {
  return new RemoteAgentError('A2A_SDK_ERROR', `none of the ${branches.length} targets answered`, {
    branches: describeBranches(branches),
    suggested_action: 'list_targets',
  });
}
