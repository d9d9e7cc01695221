import { isTerminal, type SendMessageRequest, type TaskState } from '@holdword/protocol';
import type { AgentDescription } from '../agent-description.ts';
import type { Engine } from '../engine/engine.ts';
import { encodeSnapshot } from '../engine/event-codec.ts';
import { beginTurn } from './begin-turn.ts';
import type { RequestContext } from './request-context.ts';
import { framesFirst, inOrder } from './frames.ts';
import type { EventStream } from './operations.ts';
import { taskNotFound } from './visible-task.ts';

/**
 * Sends a message and streams the result: one message, or the task and its events until it ends or requires input. The
 * stream stays open while credentials are required, because those are supplied out of band.
 */
export async function sendStreamingMessage(
  engine: Engine,
  agent: AgentDescription,
  request: SendMessageRequest,
  context: RequestContext,
): Promise<EventStream> {
  const begun = await beginTurn(engine, agent, request, context);
  if ('message' in begun) return framesFirst([{ json: JSON.stringify({ message: begun.message }) }]);
  if ('existingTaskId' in begun) return existingTask(engine, begun.existingTaskId, context);
  const { live, start } = begun;
  if (start === undefined) return engine.reader.follow(live.taskId, 0, endsTurn, context.signal);
  const first = {
    json: encodeSnapshot(start.task, start.sequence, engine.includeSequence),
    sequence: start.sequence,
  };
  return framesFirst([first], engine.reader.follow(live.taskId, start.sequence, endsTurn, context.signal));
}

/**
 * All events of the task so far, then new ones unless its turn has ended. A question of an earlier turn among them does
 * not end the stream.
 */
async function existingTask(engine: Engine, taskId: string, context: RequestContext): Promise<EventStream> {
  const header = await engine.store.readTask(taskId);
  if (header === undefined) throw taskNotFound(taskId);
  const { firstSequence, lastSequence, state } = header;
  if (firstSequence > 1) return wholeTask(engine, taskId);
  const past = engine.reader.replay(taskId, 0, lastSequence, context.signal);
  if (endsTurn(state)) return past;
  return inOrder(past, engine.reader.follow(taskId, lastSequence, endsTurn, context.signal));
}

/** Retention has removed the events and kept only the task. */
async function wholeTask(engine: Engine, taskId: string): Promise<EventStream> {
  const current = await engine.reader.current(taskId);
  if (current === undefined) throw taskNotFound(taskId);
  const { task, sequence } = current;
  return framesFirst([{ json: encodeSnapshot(task, sequence, engine.includeSequence), sequence }]);
}

function endsTurn(state: TaskState): boolean {
  return isTerminal(state) || state === 'TASK_STATE_INPUT_REQUIRED';
}
