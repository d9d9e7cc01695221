import { sendReliably, TaskView } from '@holdword/client/internal';
import { isA2AError, type AgentCard, type SendMessageRequest } from '@holdword/protocol';
import { taskStateSchema } from '@holdword/protocol/internal';
import type { HandleEntry } from '../handles/handle-entry.ts';
import { timedOut } from '../results/call-error.ts';
import { checkTaskId, type RemoteCall } from './remote-call.ts';
import type { EventLog } from './event-log.ts';
import { follow, recordEvent, replyOf } from './follow.ts';
import type { Reply } from './reply.ts';
import { streamMessage } from './stream-message.ts';

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

async function deliverAsStream(call: RemoteCall, delivery: Delivery): Promise<Reply> {
  delivery.sent = delivery.messageFor(undefined);
  const reply = await streamMessage(call, delivery.sent, delivery.log, delivery);
  if (call.limit.isExpired && delivery.view?.isSettled === false) throw timedOut();
  return reply;
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
