import { sendReliably, TaskView } from '@holdword/client';
import { isA2AError, taskStateSchema, type AgentCard, type SendMessageRequest } from '@holdword/protocol';
import type { HandleEntry } from '../handles/handle-entry.ts';
import { timedOut } from '../results/call-error.ts';
import { checkTaskId, type Call } from './call.ts';
import type { EventLog } from './event-log.ts';
import { follow, note, replyOf } from './follow.ts';
import type { Reply } from './reply.ts';
import { streamMessage } from './stream-message.ts';

/** How a message is sent, and what became of it so far. */
export interface Delivery {
  /** Until the agent is done, with its updates. */
  readonly follows: boolean;
  /** Only a task will do. */
  readonly needsTask: boolean;
  /** Whether the agent is to answer only when it is done (default: it is). */
  readonly blocking: boolean | undefined;
  /** The task that the message answers, as it was seen last. */
  readonly answered: HandleEntry | undefined;
  readonly log: EventLog;
  messageFor(returnImmediately: boolean | undefined): SendMessageRequest;
  /** Set when the message is on its way. */
  sent?: SendMessageRequest;
  /** Set when its agent has answered with a task. */
  view?: TaskView;
  /** Set when the agent is known. */
  card?: AgentCard;
}

/** Rejects as a peer does, and with a RemoteAgentError when the time is up before a task that is followed has ended. */
export async function deliver(call: Call, delivery: Delivery): Promise<Reply> {
  const { card } = await call.connect(0);
  delivery.card = card;
  const streams = card.capabilities.streaming !== false;
  if (!delivery.follows || delivery.needsTask || !streams) return deliverAtOnce(call, delivery, card);
  try {
    return await deliverAsStream(call, delivery);
  } catch (error) {
    // It does not stream although its card does not say so, and has done nothing with the message.
    if (delivery.log.count === 0 && refusesStreams(error)) return deliverAtOnce(call, delivery, card);
    throw error;
  }
}

function refusesStreams(error: unknown): boolean {
  return isA2AError(error) && (error.code === 'UNSUPPORTED_OPERATION' || error.code === 'METHOD_NOT_FOUND');
}

async function deliverAsStream(call: Call, delivery: Delivery): Promise<Reply> {
  delivery.sent = delivery.messageFor(undefined);
  const reply = await streamMessage(call, delivery.sent, delivery.log, delivery);
  if (call.limit.isUp && delivery.view?.isSettled === false) throw timedOut();
  return reply;
}

/** One answer; when more is wanted of it, its task is followed from there. */
async function deliverAtOnce(call: Call, delivery: Delivery, card: AgentCard): Promise<Reply> {
  const { follows, needsTask, blocking, log } = delivery;
  // Said in so many words: agents of A2A 0.3 do not agree on what its absence means.
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
  note(call, view.id, log, answer);
  await follow(call, view, log);
  if (!view.isSettled) throw timedOut();
  return replyOf(view, card, log);
}

/** The question that the message answers is not where its task waits. */
function markAnswered(view: TaskView, answered: HandleEntry | undefined): void {
  const state = taskStateSchema.safeParse(answered?.state);
  if (state.success && answered?.stateSince !== undefined) {
    view.markAnswered({ state: state.data, timestamp: answered.stateSince });
  }
}
