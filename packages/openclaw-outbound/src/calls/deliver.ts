import {
  type AgentConnection,
  type PeerEvent,
  sendReliably,
  TaskView,
  TimeLimit,
} from '@holdword/client/internal';
import { isConnectionError } from '@holdword/net/internal';
import {
  A2AError,
  type AgentCard,
  isA2AError,
  isInterrupted,
  isTerminal,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
} from '@holdword/protocol';
import { backoffDelay, taskStateSchema, Timer } from '@holdword/protocol/internal';
import type { HandleEntry } from '../state/task-handles.ts';
import { isStopped, timedOut } from './call-error.ts';
import type { EventLog } from './event-log.ts';
import { follow, recordEvent } from './follow.ts';
import { checkTaskId, foreignEvent, peerOptions, type RemoteCall } from './remote-call.ts';
import { type Reply, replyFrom } from './reply.ts';

/** Attempts to send a message when the connection is lost before any response, if retrying is safe. */
const MAX_ATTEMPTS = 3;
const RETRIES = { firstMilliseconds: 100, longestMilliseconds: 1_000 };
/** How long a message that started an unknown task outlives the abort of its call: then the task can be canceled. */
export const LINGER_MILLISECONDS = 10_000;

/** How a message is sent, and its progress. */
export interface Delivery {
  /** Follow updates until the agent is done, and return them. */
  readonly follows: boolean;
  /** The agent must answer with a task. */
  readonly needsTask: boolean;
  /** Whether the agent answers only when it is done. Without it, the call waits in the way that knows the task earliest. */
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
  /** Set if the stream failed before its first event in a way that does not tell whether the work has run. */
  mayHaveRun?: boolean;
}

/**
 * Sends a message and waits for the answer. Rejects with the peer's error, or with a RemoteAgentError if a followed task has
 * not ended before the timeout.
 *
 * A call that waits must know its task before the task ends: an aborted call cancels it, and one that timed out names it. So the
 * message is streamed, or the task is polled. An agent with idempotency can be asked later, so one request is enough there.
 */
export async function deliver(call: RemoteCall, delivery: Delivery): Promise<Reply> {
  const connection = await call.connect(0);
  const { card, extensions } = connection;
  delivery.card = card;
  // Called again with fresh credentials, although the agent has accepted the message: it must not be sent again.
  if (delivery.view !== undefined) return followToEnd(call, delivery, connection, delivery.view);
  const { streaming } = card.capabilities;
  const { follows, needsTask, blocking } = delivery;
  const isSingle = !follows && (needsTask || blocking !== undefined || extensions.idempotency);
  if (isSingle) return deliverAtOnce(call, delivery, connection, { follows: false });
  const streams = follows ? streaming !== false && !needsTask : streaming === true;
  if (!streams) return deliverAtOnce(call, delivery, connection, { follows: true });
  try {
    return await deliverAsStream(call, delivery);
  } catch (error) {
    if (delivery.log.count > 0 || !isA2AError(error)) throw error;
    const isUnsupported = error.code === 'UNSUPPORTED_OPERATION';
    const maySendAgain = streaming !== true || extensions.idempotency;
    // The agent does not stream, although its card does not say so. It has not processed the message.
    if (error.code === 'METHOD_NOT_FOUND' || (isUnsupported && maySendAgain)) {
      return deliverAtOnce(call, delivery, connection, { follows: true });
    }
    // Servers of the official SDK report the same for an agent that fails while it works.
    return isUnsupported ? deliveredTask(error, call, delivery, connection) : Promise.reject(error);
  }
}

/** How much of its history a task is asked for: the message is at its end. */
const RECENT_MESSAGES = 20;

/**
 * The task of a message whose stream failed, if the agent did receive the message. Rejects with the failure otherwise, and if
 * that cannot be told.
 */
async function deliveredTask(
  failure: A2AError,
  call: RemoteCall,
  delivery: Delivery,
  connection: AgentConnection,
): Promise<Reply> {
  const { messageId, taskId } = delivery.sent?.message ?? {};
  delivery.mayHaveRun = true;
  if (taskId === undefined) throw failure;
  const request = { id: taskId, historyLength: RECENT_MESSAGES };
  const task = await connection.peer.get(request, peerOptions(call)).catch(() => {
    throw failure;
  });
  checkTaskId(task.id, taskId);
  const { history = [] } = task;
  const hasArrived = history.some((message) => message.messageId === messageId);
  if (!hasArrived && history.length > 0) {
    delivery.mayHaveRun = false;
    throw failure;
  }
  const view = new TaskView(task);
  delivery.view = view;
  if (!hasArrived) throw failure;
  markAnswered(view, delivery.answered);
  // The agent failed over the answer: the task waits as before, and nothing will come.
  if (isInterrupted(view.status.state) && !view.isSettled) throw failure;
  recordEvent(call, delivery.log, { task });
  return followToEnd(call, delivery, connection, view);
}

/** Follows the task of a message until it ends or needs input; rejects on timeout. */
async function followToEnd(
  call: RemoteCall,
  { log, follows }: Delivery,
  connection: AgentConnection,
  view: TaskView,
): Promise<Reply> {
  await follow(call, view, log);
  if (!view.isSettled) throw timedOut();
  return replyFrom(connection, { task: view.toTask() }, follows ? { log } : {});
}

/**
 * Sends a message and reads the stream until the agent is done. If the connection is lost once the task is known, the task is
 * followed instead; before that, the message is retried only if that cannot run the work twice.
 */
async function deliverAsStream(call: RemoteCall, delivery: Delivery): Promise<Reply> {
  const { log, follows } = delivery;
  const request = delivery.messageFor(undefined);
  delivery.sent = request;
  for (let attempt = 0; ; attempt += 1) {
    const connection = await call.connect(attempt);
    const shownLog = follows ? { log } : {};
    try {
      const message = await readStream(call, connection, request, delivery);
      if (message !== undefined) return replyFrom(connection, { message }, shownLog);
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
    // An agent that sends its task alone works in the background: the caller gets the task, unless it asked to follow it. One
    // that had begun to report was cut off on the way: half an answer would be taken for the whole.
    const mustFollow = follows || connection.extensions.resume || log.count > 1;
    if (!view.isSettled && mustFollow) await follow(call, view, log);
    if (!view.isSettled && (follows || call.limit.isExpired)) throw timedOut();
    return replyFrom(connection, { task: view.toTask() }, shownLog);
  }
}

/** Reads a stream into the view of its task. Returns the message if the agent answers with one instead of a task. */
async function readStream(
  call: RemoteCall,
  { peer }: AgentConnection,
  request: SendMessageRequest,
  delivery: Delivery,
): Promise<Message | undefined> {
  using lingering = new LingeringSignal(call.limit, () => delivery.view !== undefined);
  const options = { ...peerOptions(call), signal: lingering.signal };
  for await (const peerEvent of peer.stream(request, options)) {
    const { event } = peerEvent;
    if (delivery.view?.owns(event) === false) throw foreignEvent();
    recordEvent(call, delivery.log, event);
    if ('message' in event) {
      // A message during a task is only logged.
      if (delivery.view !== undefined) continue;
      return event.message;
    }
    if (delivery.view === undefined) delivery.view = beginView(peerEvent);
    else delivery.view.apply(peerEvent);
    call.limit.signal.throwIfAborted();
    // A snapshot may still contain the question that this message answers.
    const { view } = delivery;
    if ('task' in event ? isTerminal(view.status.state) : view.isSettled) return undefined;
  }
  return undefined;
}

/** Aborts with a call, but some time later if the caller aborted it and its task is not known yet. */
class LingeringSignal implements Disposable {
  readonly #controller = new AbortController();
  readonly #limit: TimeLimit;
  readonly #onAbort: () => void;
  #timer: Timer | undefined;

  constructor(limit: TimeLimit, isTaskKnown: () => boolean) {
    this.#limit = limit;
    this.#onAbort = () => {
      const milliseconds = isStopped(limit) && !isTaskKnown() ? LINGER_MILLISECONDS : 0;
      this.#timer = new Timer(milliseconds, () => this.#controller.abort(limit.signal.reason));
    };
    if (limit.signal.aborted) this.#controller.abort(limit.signal.reason);
    else limit.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#limit.signal.removeEventListener('abort', this.#onAbort);
    this.#timer?.[Symbol.dispose]();
  }
}

/** Builds a view from the first event, which is not necessarily a task snapshot. */
function beginView(peerEvent: PeerEvent): TaskView {
  const { event, sequence } = peerEvent;
  if ('task' in event) return new TaskView(event.task, sequence);
  const { taskId: id, contextId } = updateOf(event);
  if (id === '') {
    throw new A2AError('INVALID_AGENT_RESPONSE', 'The agent sent a task event without a task id.');
  }
  const view = new TaskView({ id, contextId, status: { state: 'TASK_STATE_WORKING' } });
  view.apply(peerEvent);
  return view;
}

function updateOf(event: StreamResponse): { taskId: string; contextId: string } {
  if ('statusUpdate' in event) return event.statusUpdate;
  return 'artifactUpdate' in event ? event.artifactUpdate : { taskId: '', contextId: '' };
}

/** Sends a message with a single response, and follows its task from there if asked to. */
async function deliverAtOnce(
  call: RemoteCall,
  delivery: Delivery,
  connection: AgentConnection,
  { follows }: { readonly follows: boolean },
): Promise<Reply> {
  const { needsTask, blocking, log } = delivery;
  const returnImmediately = needsTask || follows || blocking === false;
  // Always explicit: A2A 0.3 agents disagree about the default.
  delivery.sent = delivery.messageFor(returnImmediately);
  const { headers, limit } = call;
  // A request that returns at once may outlive the call: its answer names the task.
  using patience = new TimeLimit((limit.millisecondsLeft + LINGER_MILLISECONDS) / 1000);
  const answer = await sendReliably(call.connect, delivery.sent, returnImmediately ? patience : limit, {
    headers,
    retries: limit,
  });
  if ('message' in answer) return replyFrom(connection, answer);
  checkTaskId(answer.task.id);
  const view = new TaskView(answer.task);
  markAnswered(view, delivery.answered);
  delivery.view = view;
  limit.signal.throwIfAborted();
  const isAnswered = isInterrupted(view.status.state) && !view.isSettled;
  if (!follows) return replyFrom(connection, answer, { isAnswered });
  recordEvent(call, log, answer);
  return followToEnd(call, delivery, connection, view);
}

/** The question that this message answers must not be taken for the state the task stops in. */
function markAnswered(view: TaskView, answered: HandleEntry | undefined): void {
  const state = taskStateSchema.safeParse(answered?.state);
  if (state.success && answered?.stateSince !== undefined) {
    view.markAnswered({ state: state.data, timestamp: answered.stateSince });
  }
}
