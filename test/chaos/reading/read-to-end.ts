import { isTerminal, type JsonObject, type StreamResponse } from '@holdword/protocol';
import { WireError } from '../../support/drivers/wire-error.ts';
import { stateOf } from '../journal/frame-state.ts';
import { nextClient, type Stage } from '../load/stage.ts';
import type { Client, EventFrame } from '../wire/client.ts';
import { ConnectionLost } from '../wire/connection-lost.ts';

export interface Reading {
  taskId: string;
  /** The events as they were received over all connections, each once. */
  frames: EventFrame[];
  connections: number;
}

export interface ReadingOptions {
  request: JsonObject;
  idempotencyKey: string;
  /** After how many bytes the next connection is to be cut; never unless given. */
  nextCut?: () => number;
  /** The server may be stopped in between, which ends streams in good order before their task has ended. */
  restarts: boolean;
  onTask?: (taskId: string) => void;
}

/**
 * Sends a message and reads its stream until the task has ended, over as many connections as that takes: who was cut off
 * comes back with the number of the last whole frame, who never saw one sends again under the same key.
 */
export async function readToEnd(
  stage: Pick<Stage, 'server' | 'random' | 'signal'>,
  options: ReadingOptions,
): Promise<Reading> {
  const reading: Partial<Reading> & Pick<Reading, 'frames'> = { frames: [] };
  for (let connections = 1; ; connections += 1) {
    const client = await nextClient(stage);
    try {
      await readOnce(client, reading, options);
      if (!options.restarts && !hasEnded(reading.frames)) {
        throw new Error(`The stream of task ${reading.taskId} ended in good order before the task did.`);
      }
    } catch (error) {
      if (!mayTryAgain(error)) throw error;
    }
    if (hasEnded(reading.frames)) return { ...reading, taskId: reading.taskId as string, connections };
  }
}

async function readOnce(
  client: Client,
  reading: Partial<Reading> & Pick<Reading, 'frames'>,
  { request, idempotencyKey, nextCut, onTask }: ReadingOptions,
): Promise<void> {
  const { frames } = reading;
  const cursor = frames.length;
  const cut = nextCut && { cutAfterBytes: nextCut() };
  const stream =
    reading.taskId === undefined
      ? client.stream(request, { idempotencyKey, ...cut })
      : client.subscribe(reading.taskId, cursor, cut);
  let isFirst = true;
  for await (const frame of stream) {
    if (cursor > 0 && isFirst) checkReminder(frame, cursor);
    else if (frame.sequence === frames.length + 1) frames.push(frame);
    else
      throw new Error(`Expected event ${frames.length + 1} of ${reading.taskId}, found ${frame.sequence}.`);
    isFirst = false;
    if (reading.taskId === undefined) {
      reading.taskId = (JSON.parse(frame.json) as Extract<StreamResponse, { task: unknown }>).task.id;
      onTask?.(reading.taskId);
    }
  }
}

/** A stream that is resumed begins with the task as of the cursor, which is no event. */
function checkReminder(frame: EventFrame, cursor: number): void {
  if (frame.sequence === cursor && frame.json.startsWith('{"task":') && frame.json.includes('"partial":true'))
    return;
  throw new Error(`Expected the task as of event ${cursor} first, found ${frame.sequence}: ${frame.json}`);
}

function hasEnded(frames: readonly EventFrame[]): boolean {
  const last = frames.at(-1);
  const state = last && stateOf(last);
  return state !== undefined && isTerminal(state);
}

function mayTryAgain(error: unknown): boolean {
  return error instanceof ConnectionLost || (error instanceof WireError && error.reason === 'UNAVAILABLE');
}
