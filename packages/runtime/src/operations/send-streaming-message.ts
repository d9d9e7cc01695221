import { isTerminal, type SendMessageRequest, type TaskState } from '@parley/protocol';
import type { AgentDescription } from '../agent-description.ts';
import type { Engine } from '../engine/engine.ts';
import { encodeSnapshot } from '../engine/event-codec.ts';
import { beginTurn } from './begin-turn.ts';
import type { Call } from './call.ts';
import type { EventStream, StreamFrame } from './operations.ts';

/**
 * Sends a message and streams what comes of it: one message, or the task and its events until it ends or asks for input.
 * A demand for credentials keeps the stream open, because they arrive on another way.
 */
export async function sendStreamingMessage(
  engine: Engine,
  agent: AgentDescription,
  request: SendMessageRequest,
  call: Call,
): Promise<EventStream> {
  const begun = await beginTurn(engine, agent, request, call);
  if ('message' in begun) return framesOnce([{ json: JSON.stringify({ message: begun.message }) }]);
  if ('existingTaskId' in begun) return engine.reader.follow(begun.existingTaskId, 0, endsTurn, call.signal);
  const { live, start } = begun;
  if (start === undefined) return engine.reader.follow(live.taskId, 0, endsTurn, call.signal);
  const first = {
    json: encodeSnapshot(start.task, start.sequence, engine.stamped),
    sequence: start.sequence,
  };
  return framesFirst([first], engine.reader.follow(live.taskId, start.sequence, endsTurn, call.signal));
}

function endsTurn(state: TaskState): boolean {
  return isTerminal(state) || state === 'TASK_STATE_INPUT_REQUIRED';
}

async function* framesOnce(
  frames: readonly StreamFrame[],
): AsyncGenerator<readonly StreamFrame[], void, undefined> {
  yield frames;
}

export async function* framesFirst(
  first: readonly StreamFrame[],
  rest: AsyncGenerator<readonly StreamFrame[], void, undefined>,
): AsyncGenerator<readonly StreamFrame[], void, undefined> {
  yield first;
  yield* rest;
}
