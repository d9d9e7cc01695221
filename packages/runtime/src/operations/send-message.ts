import {
  isTerminal,
  type Message,
  type SendMessageRequest,
  type SendMessageResponse,
  type Task,
  type TaskState,
} from '@holdword/protocol';
import { unlessAborted } from '@holdword/protocol/internal';
import type { AgentDescription } from '../agent-description.ts';
import type { Engine } from '../engine/engine.ts';
import { numberedTask } from '../engine/event-codec.ts';
import type { StartedTurn } from '../engine/turns.ts';
import { beginTurn } from './begin-turn.ts';
import { taskFrame } from './large-answers.ts';
import { framesFirst, inOrder, type EventStream, type RequestContext } from './operations.ts';
import { rethrowStoreError } from './rethrow-store-error.ts';
import { taskNotFound } from './tasks.ts';

/** Sends a message and returns when the task has ended or waits for its user; immediately with `returnImmediately`. */
export async function sendMessage(
  engine: Engine,
  request: SendMessageRequest,
  context: RequestContext,
  agent: AgentDescription,
): Promise<SendMessageResponse> {
  const begun = await beginTurn(engine, request, context, agent);
  context.onTask?.('live' in begun ? begun.live.taskId : begun.existingTaskId);
  const { returnImmediately = false, historyLength } = request.configuration ?? {};
  if ('existingTaskId' in begun) {
    if (!returnImmediately) await engine.reader.settled(begun.existingTaskId, context.signal);
    return { task: await currentTask(engine, begun.existingTaskId, historyLength, context) };
  }
  const message = await plainMessage(begun, context);
  if (message !== undefined) {
    if (!context.signal.aborted) forget(engine, begun);
    return { message };
  }
  const { live } = begun;
  // The signal is created on first use, and most short turns have ended by now.
  if (!returnImmediately && !live.isSettled) await engine.reader.settled(live.taskId, context.signal, live);
  const here = returnImmediately || live.isSettled ? live.committed : undefined;
  if (here?.isWhole === true)
    return { task: numberedTask(here.toTask(historyLength), here.sequence, context.version) };
  return { task: await currentTask(engine, live.taskId, historyLength, context) };
}

async function currentTask(
  engine: Engine,
  taskId: string,
  historyLength: number | undefined,
  { version }: RequestContext,
): Promise<Task> {
  const current = await engine.reader.current(taskId, historyLength);
  if (current === undefined) throw taskNotFound(taskId);
  return numberedTask(current.task, current.sequence, version);
}

/**
 * Sends a message and streams the result: one message, or the task and its events until it ends or requires input. The
 * stream stays open while credentials are required, because those are supplied out of band.
 */
export async function sendStreamingMessage(
  engine: Engine,
  request: SendMessageRequest,
  context: RequestContext,
  agent: AgentDescription,
): Promise<EventStream> {
  const begun = await beginTurn(engine, request, context, agent);
  context.onTask?.('live' in begun ? begun.live.taskId : begun.existingTaskId);
  if ('existingTaskId' in begun) return existingTask(engine, begun.existingTaskId, context);
  const { live, start, direct } = begun;
  if (direct !== undefined) return messageOrTask(engine, begun, context);
  if (start === undefined) return engine.reader.follow(live.taskId, 0, endsTurn, context.signal);
  const first = await taskFrame(engine, context, start);
  return framesFirst([first], engine.reader.follow(live.taskId, start.sequence, endsTurn, context.signal));
}

/**
 * The plain message that ends the turn. Undefined if the turn has become a task, or if the caller disconnects first: the
 * turn continues, and the journal keeps what comes of it.
 */
async function plainMessage(
  { live, direct }: StartedTurn,
  context: RequestContext,
): Promise<Message | undefined> {
  if (direct === undefined) return undefined;
  const message = await unlessAborted(direct.decided, context.signal).catch(() => undefined);
  if (message !== undefined) await live.flushed();
  return message;
}

/**
 * One message, or the task and its events once the turn has become one. A caller whose stream the server ends before that is
 * given the task, to get or follow later.
 */
async function* messageOrTask(engine: Engine, begun: StartedTurn, context: RequestContext): EventStream {
  const { live } = begun;
  const message = await plainMessage(begun, context).catch(rethrowStoreError);
  if (message !== undefined) {
    yield [{ json: JSON.stringify({ message }) }];
    // The stream is read on only if the message could be written to the caller.
    forget(engine, begun);
  } else if (context.signal.aborted) {
    const { committed, committedSequence: sequence } = live;
    if (committed === undefined) return;
    yield [await taskFrame(engine, context, { task: engine.reader.view(committed), sequence })];
  } else {
    yield* engine.reader.follow(live.taskId, 0, endsTurn, context.signal);
  }
}

/** The caller has the whole answer, so its task is not needed. One that cannot be deleted stays, as after a crash. */
function forget({ store }: Engine, { live }: StartedTurn): void {
  store.retention?.deleteTask(live.taskId).catch(() => {});
}

/**
 * All events of the task so far, then new ones unless its turn has ended. A question of an earlier turn among them does
 * not end the stream.
 */
async function existingTask(engine: Engine, taskId: string, context: RequestContext): Promise<EventStream> {
  const header = await engine.store.readTask(taskId);
  if (header === undefined) throw taskNotFound(taskId);
  const { firstSequence, lastSequence, state } = header;
  if (firstSequence > 1) return wholeTask(engine, taskId, context);
  const past = engine.reader.replay(taskId, 0, lastSequence, context.signal);
  if (endsTurn(state)) return past;
  return inOrder(past, engine.reader.follow(taskId, lastSequence, endsTurn, context.signal));
}

/** Retention has removed the events and kept only the task. */
async function wholeTask(engine: Engine, taskId: string, context: RequestContext): Promise<EventStream> {
  const current = await engine.reader.current(taskId);
  if (current === undefined) throw taskNotFound(taskId);
  return framesFirst([await taskFrame(engine, context, current)]);
}

function endsTurn(state: TaskState): boolean {
  return isTerminal(state) || state === 'TASK_STATE_INPUT_REQUIRED';
}
