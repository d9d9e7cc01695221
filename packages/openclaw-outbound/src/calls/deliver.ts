import { type AgentConnection, type PeerEvent, sendReliably, TaskView } from '@holdword/client/internal';
import { isConnectionError } from '@holdword/net/internal';
import {
  A2AError,
  type AgentCard,
  isA2AError,
  isTerminal,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
} from '@holdword/protocol';
import { backoffDelay, taskStateSchema } from '@holdword/protocol/internal';
import type { HandleEntry } from '../state/task-handles.ts';
import { timedOut } from './call-error.ts';
import type { EventLog } from './event-log.ts';
import { follow, recordEvent, replyOf } from './follow.ts';
import { checkTaskId, peerOptions, type RemoteCall } from './remote-call.ts';
import type { Reply } from './reply.ts';

/** Attempts to send a message when the connection is lost before any response, if retrying is safe. */
const MAX_ATTEMPTS = 3;
const RETRIES = { firstMilliseconds: 100, longestMilliseconds: 1_000 };

/** How a message is sent, and its progress. */
export interface Delivery {
  /** Follow updates until the agent is done. */
  readonly follows: boolean;
  /** The agent must answer with a task. */
  readonly needsTask: boolean;
  /** Whether the agent answers only when it is done. @default true */
  readonly blocking: boolean | undefined;
  /** The last known state of the task that the message continues. */
  readonly answered: HandleEntry | undefined;
  readonly log: EventLog;
  messageFor(returnImmediately: boolean | undefined): SendMessageRequest;
  /** Set once the message is being sent. */
  sent?: SendMessageRequest;
  /** Set once the agent has answered with a task. */
  view?: TaskView;
  /** Set once the agent card is known. */
  card?: AgentCard;
}

/** Rejects with the peer's error, or with a RemoteAgentError if a followed task has not ended before the timeout. */
export async function deliver(call: RemoteCall, delivery: Delivery): Promise<Reply> {
  const { card } = await call.connect(0);
  delivery.card = card;
  const streams = card.capabilities.streaming !== false;
  if (!delivery.follows || delivery.needsTask || !streams) return deliverAtOnce(call, delivery, card);
  try {
    return await deliverAsStream(call, delivery);
  } catch (error) {
    // The agent does not stream, although its card does not say so. It has not processed the message.
    if (delivery.log.count === 0 && doesNotStream(error)) return deliverAtOnce(call, delivery, card);
    throw error;
  }
}

function doesNotStream(error: unknown): boolean {
  return isA2AError(error) && (error.code === 'UNSUPPORTED_OPERATION' || error.code === 'METHOD_NOT_FOUND');
}

/**
 * Sends a message and reads the stream until the agent is done. If the connection is lost once the task is known, the task is
 * followed instead; before that, the message is retried only if that cannot run the work twice.
 */
async function deliverAsStream(call: RemoteCall, delivery: Delivery): Promise<Reply> {
  const { log } = delivery;
  const request = delivery.messageFor(undefined);
  delivery.sent = request;
  for (let attempt = 0; ; attempt += 1) {
    const connection = await call.connect(attempt);
    try {
      const message = await readStream(call, connection, request, delivery);
      const { streaming } = connection.card.capabilities;
      if (message !== undefined) return { content: { message }, streaming, log };
    } catch (error) {
      if (!isConnectionError(error) || call.limit.isExpired) throw error;
      const safe = !error.sent || connection.extensions.idempotency;
      if (delivery.view === undefined) {
        if (log.count > 0 || !safe || attempt + 1 >= MAX_ATTEMPTS) throw error;
        await call.limit.pause(backoffDelay(attempt, RETRIES));
        continue;
      }
      await follow(call, delivery.view, log);
    }
    const { view } = delivery;
    if (view === undefined) throw new A2AError('INVALID_AGENT_RESPONSE', 'stream ended without events');
    // The stream ended before its task: an intermediary cut it. An agent that supports resuming loses nothing.
    if (!view.isSettled && connection.extensions.resume) await follow(call, view, log);
    if (call.limit.isExpired && !view.isSettled) throw timedOut();
    return replyOf(view, connection.card, log);
  }
}

/** Reads a stream into the view of its task. Returns the message if the agent answers with one instead of a task. */
async function readStream(
  call: RemoteCall,
  { peer }: AgentConnection,
  request: SendMessageRequest,
  delivery: Delivery,
): Promise<Message | undefined> {
  for await (const peerEvent of peer.stream(request, peerOptions(call))) {
    const { event } = peerEvent;
    recordEvent(call, delivery.view?.id, delivery.log, event);
    if ('message' in event) {
      // A message during a task is only logged.
      if (delivery.view !== undefined) continue;
      return event.message;
    }
    if (delivery.view === undefined) delivery.view = beginView(peerEvent);
    else delivery.view.apply(peerEvent);
    // A snapshot may still contain the question that this message answers.
    const { view } = delivery;
    if ('task' in event ? isTerminal(view.status.state) : view.isSettled) return undefined;
  }
  return undefined;
}

/** Builds a view from the first event, which is not necessarily a task snapshot. */
function beginView({ event, sequence }: PeerEvent): TaskView {
  if ('task' in event) return new TaskView(event.task, sequence);
  const { taskId: id, contextId } = updateOf(event);
  if (id === '') {
    throw new A2AError('INVALID_AGENT_RESPONSE', 'The agent sent a task event without a task id.');
  }
  const view = new TaskView({ id, contextId, status: { state: 'TASK_STATE_WORKING' } });
  view.apply({ event, ...(sequence !== undefined && { sequence }) });
  return view;
}

function updateOf(event: StreamResponse): { taskId: string; contextId: string } {
  if ('statusUpdate' in event) return event.statusUpdate;
  return 'artifactUpdate' in event ? event.artifactUpdate : { taskId: '', contextId: '' };
}

/** Sends a message with a single response, and follows its task from there if updates are requested. */
async function deliverAtOnce(call: RemoteCall, delivery: Delivery, card: AgentCard): Promise<Reply> {
  const { follows, needsTask, blocking, log } = delivery;
  // Always explicit: A2A 0.3 agents disagree about the default.
  delivery.sent = delivery.messageFor(needsTask || follows || blocking === false);
  const { headers, limit } = call;
  const answer = await sendReliably(call.connect, delivery.sent, limit, { headers });
  const { streaming } = card.capabilities;
  if ('message' in answer) return { content: answer, streaming };
  checkTaskId(answer.task.id);
  if (!follows) return { content: answer, streaming };
  const view = new TaskView(answer.task);
  delivery.view = view;
  markAnswered(view, delivery.answered);
  recordEvent(call, view.id, log, answer);
  await follow(call, view, log);
  if (!view.isSettled) throw timedOut();
  return replyOf(view, card, log);
}

/** The question that this message answers must not be taken for the state the task stops in. */
function markAnswered(view: TaskView, answered: HandleEntry | undefined): void {
  const state = taskStateSchema.safeParse(answered?.state);
  if (state.success && answered?.stateSince !== undefined) {
    view.markAnswered({ state: state.data, timestamp: answered.stateSince });
  }
}
