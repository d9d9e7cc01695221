import { mayHaveArrived, TaskView } from '@holdword/client/internal';
import { isA2AError, isInterrupted, isTerminal } from '@holdword/protocol';
import { taskStateSchema, unlessAborted } from '@holdword/protocol/internal';
import type { RemoteAgentRequest } from '../contract.ts';
import { cancelTask, findTask } from '../calls/background-work.ts';
import { isStopped } from '../calls/call-error.ts';
import { deliver, type Delivery } from '../calls/deliver.ts';
import { EventLog } from '../calls/event-log.ts';
import {
  checkTaskId,
  peerOptions,
  type RemoteCall,
  requestTime,
  troubleWith,
  withFreshCredentials,
} from '../calls/remote-call.ts';
import { type Reply, replyText } from '../calls/reply.ts';
import { RemoteAgentError } from '../remote-agent-error.ts';
import { plausibleId } from '../remote-ids.ts';
import { buildMessage } from '../request/build-message.ts';
import { continueFrom, hasEnded, isWaiting, type KnownTask } from '../request/continuation.ts';
import { type Destination, resolveDestination } from '../request/resolve-destination.ts';
import { nextRoute } from '../request/route.ts';
import { cutText } from '../results/foreign-text.ts';
import { knownTask, replyOutcome, type ReplyOutcome } from '../results/outcome.ts';
import { lateAnswer, sendError } from '../results/send-error.ts';
import type { PendingMessage } from '../state/message-ids.ts';
import { taskKey } from '../state/task-handles.ts';
import { addressKey } from '../targets/target.ts';
import { openCall, type Services, type ToolCall } from './action.ts';

/** How long a call that timed out looks for the task of its message. */
const FIND_TASK_SECONDS = 2;

/** One attempt to deliver a message. */
interface Attempt {
  readonly destination: Destination;
  readonly delivery: Delivery;
  readonly done: Promise<Reply>;
}

/** Whether the work of an aborted call was stopped; undefined if there was none, because its message did not arrive. */
type Canceled = boolean | undefined;

/** The cancellation of the work of a call that was aborted. */
export interface Cancellation {
  readonly done: Promise<Canceled>;
  /** The task, once it is known. */
  task(): KnownTask | undefined;
}

/**
 * Sends a message to one agent. If the call is aborted, the task that it started is canceled in the background; `onCancel`
 * receives the cancellation.
 */
export async function sendToOne(
  action: ToolCall,
  services: Services,
  onCancel?: (cancellation: Cancellation) => void,
): Promise<ReplyOutcome> {
  const { request, signal } = action;
  const { connections, config } = services;
  using limit = requestTime(request, config, signal);
  const resolved = await nextTask(await resolveDestination(request, services), request, services);
  const route = await nextRoute(request.metadata, action.sessionKey, services);
  const pending = await messageIdFor(action, resolved, services);
  const call = openCall(action, resolved.target, limit, services);
  const { acceptedOutputModes } = config.policy;
  const begin = (destination: Destination): Attempt => {
    const { messageId } = pending;
    const delivery = newDelivery(request, destination, services, (returnImmediately) =>
      buildMessage({ request, destination, messageId, route, acceptedOutputModes, returnImmediately }),
    );
    const done = withFreshCredentials(connections, call.target, () => deliver(call, delivery));
    return { destination, delivery, done };
  };
  let attempt = begin(resolved);
  let taskHasEnded = false;
  try {
    let reply: Reply;
    try {
      reply = await unlessAborted(attempt.done, limit.signal);
    } catch (error) {
      const ended = await endedTask(error, attempt, call);
      taskHasEnded = ended !== undefined;
      const isFree = request.task_id === undefined && !answersQuestion(attempt.destination, request);
      if (ended === undefined || !isFree) throw error;
      const { contextId } = ended;
      attempt = begin({ target: call.target, contextId, startsOver: contextId === undefined });
      reply = await unlessAborted(attempt.done, limit.signal);
    }
    pending.settle();
    await settleQuestion(attempt, services);
    if (attempt.delivery.needsTask) requireTask(reply, attempt.destination, config.limits.rawCharacters);
    return await replyOutcome(attempt.destination, reply, services);
  } catch (error) {
    if (isStopped(limit)) {
      const { delivery, destination } = attempt;
      const done = cancelStarted(attempt, call, services);
      services.background.run(() => done);
      onCancel?.({
        done,
        task: () => delivery.view && knownTask({ task: delivery.view.toTask() }, destination),
      });
    }
    if (isStopped(limit) || (isFinal(error, attempt.delivery) && !limit.isExpired)) pending.settle();
    else {
      if (limit.isExpired) await findLost(attempt.delivery, call, services, FIND_TASK_SECONDS);
      const taskId = attempt.delivery.view?.id;
      pending.keepForRetry(taskId && taskKey({ address: call.target, taskId }));
    }
    if (attempt.delivery.view !== undefined) await settleQuestion(attempt, services);
    const trouble = isStopped(limit) ? troubleWith(call.target, connections) : undefined;
    throw await sendError(error, { ...attempt, call, request, services, taskHasEnded, trouble });
  }
}

function newDelivery(
  request: RemoteAgentRequest,
  { known }: Destination,
  { config: { limits } }: Services,
  messageFor: Delivery['messageFor'],
): Delivery {
  return {
    follows: request.follow_updates === true,
    needsTask: request.task_requirement === 'required',
    blocking: request.blocking,
    answered: known,
    log: new EventLog({ keptCharacters: limits.rawCharacters, allCharacters: limits.streamBytes }),
    messageFor,
  };
}

/** The message has reached its task: what is sent to it from now on does not answer the same question. */
async function settleQuestion({ destination }: Attempt, { handles }: Services): Promise<void> {
  const { target, taskId } = destination;
  if (taskId !== undefined) await handles.settleQuestion({ address: target, taskId });
}

/**
 * Agents reject messages to a task that has ended. A message that follows up on one starts the next task of its conversation, if
 * the agent has any, unless the request names the task by its id. The answer to a question does not: it is rejected here.
 */
async function nextTask(
  destination: Destination,
  request: RemoteAgentRequest,
  services: Services,
): Promise<Destination> {
  const { continuation, task_id: givenId } = request;
  const { target, contextId, taskId, known } = destination;
  const state = taskStateSchema.safeParse(known?.state);
  const ended =
    (state.success && isTerminal(state.data)) ||
    (continuation?.task !== undefined && hasEnded(continuation.task));
  if (!ended || givenId !== undefined) return destination;
  if (taskId !== undefined && answersQuestion(destination, request)) {
    const facts = { taskId, contextId, ...(state.success && { state: state.data }) };
    throw lateAnswer(await continueFrom(target, facts, services), { request, services });
  }
  return { target, contextId, startsOver: contextId === undefined };
}

/** The task of a rejected message, if it has ended since the last result about it, with its conversation. */
async function endedTask(
  error: unknown,
  { destination, delivery }: Attempt,
  call: RemoteCall,
): Promise<Pick<Destination, 'contextId'> | undefined> {
  const { taskId, contextId } = destination;
  if (taskId === undefined || delivery.view !== undefined || !isRefused(error, delivery)) return undefined;
  try {
    const { peer } = await call.connect(0);
    const task = await peer.get({ id: taskId }, peerOptions(call));
    if (!isTerminal(task.status.state)) return undefined;
    return { contextId: contextId ?? plausibleId(task.contextId) };
  } catch {
    // What the agent said about the message is more useful.
    return undefined;
  }
}

/** An answer means nothing outside of its task, so it does not start another one. */
function answersQuestion({ known }: Destination, { continuation }: RemoteAgentRequest): boolean {
  const state = taskStateSchema.safeParse(known?.state);
  if (state.success && isInterrupted(state.data)) return true;
  // A handle does not say which state its user knows: a question without an answer is what there is to answer.
  if (continuation === undefined) return known?.asks === true;
  return continuation.task !== undefined && isWaiting(continuation.task);
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
function isFinal(error: unknown, delivery: Delivery): boolean {
  return error instanceof RemoteAgentError || delivery.view !== undefined || isRefused(error, delivery);
}

/** Cancels the task of an aborted call. */
async function cancelStarted(
  { delivery, destination, done }: Attempt,
  call: RemoteCall,
  services: Services,
): Promise<Canceled> {
  const { sent } = delivery;
  if (sent === undefined) return undefined;
  try {
    let taskId = delivery.view?.id ?? destination.taskId;
    if (taskId === undefined) {
      // The message outlives the call for a while: its answer names the task.
      const answer = await done.then(
        ({ content }) => ('message' in content ? 'message' : 'task'),
        (error: unknown) => (isRefused(error, delivery) ? 'none' : 'unknown'),
      );
      if (answer === 'none') return undefined;
      if (answer === 'message') return true;
      await findLost(delivery, call, services);
      taskId = delivery.view?.id;
    }
    return taskId !== undefined && (await cancelTask(services.connections, call, taskId));
  } catch {
    return false;
  }
}

/** Whether the agent refused the message, so that nothing is running. */
function isRefused(error: unknown, { mayHaveRun }: Delivery): boolean {
  return mayHaveRun !== true && isA2AError(error) && !mayHaveArrived(error);
}

/** Looks for the task of a message without an answer, if the agent can still tell which it is. */
async function findLost(
  delivery: Delivery,
  call: RemoteCall,
  { connections }: Services,
  seconds?: number,
): Promise<void> {
  const { sent, view } = delivery;
  if (sent === undefined || view !== undefined) return;
  try {
    const task = await findTask(connections, call, sent, seconds);
    if (task === undefined) return;
    checkTaskId(task.id);
    delivery.view = new TaskView(task);
  } catch {
    // The call has failed in any case.
  }
}

function requireTask(reply: Reply, destination: Destination, characterLimit: number): void {
  const { content } = reply;
  if ('task' in content) return;
  const contextId = plausibleId(knownTask(content, destination).contextId);
  throw new RemoteAgentError(
    'TASK_REQUIRED_BUT_MESSAGE_RETURNED',
    'task_requirement="required", but the agent returned a message instead of a task',
    {
      response_kind: 'message',
      message_text: cutText(replyText(reply), characterLimit),
      ...(contextId !== undefined && { context_id: contextId }),
      suggested_action: 'send',
      hint: 'The agent has already answered: use message_text, or send again without task_requirement.',
    },
  );
}
