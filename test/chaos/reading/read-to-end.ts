import { isTerminal, type JsonObject, type StreamResponse } from '@holdword/protocol';
import { WireError } from '../../support/drivers/wire-error.ts';
import { stateOf } from '../journal/frame-state.ts';
import { nextClient, type LoadContext } from '../load/load-context.ts';
import type { Client, EventFrame } from '../wire/client.ts';
import { ConnectionLost } from '../wire/connection-lost.ts';

export interface Reading {
  taskId: string;
  /** The events received over all connections, each once. */
  frames: EventFrame[];
  connections: number;
}

export interface ReadingOptions {
  request: JsonObject;
  idempotencyKey: string;
  /** After how many bytes to cut the next connection. By default it is not cut. */
  nextCut?: () => number;
  /** The server may be restarted meanwhile, which ends streams normally before their task has ended. */
  restarts: boolean;
  onTask?: (taskId: string) => void;
}

/**
 * Sends a message and reads its stream until the task has ended, over as many connections as it takes: it reconnects with the
 * last event ID, or sends the message again with the same key if it received no event.
 */
export async function readToEnd(
  context: Pick<LoadContext, 'server' | 'random' | 'signal'>,
  options: ReadingOptions,
): Promise<Reading> {
  const reading: Partial<Reading> & Pick<Reading, 'frames'> = { frames: [] };
  for (let connections = 1; ; connections += 1) {
    const client = await nextClient(context);
    try {
      await readOnce(client, reading, options);
      if (!options.restarts && !hasEnded(reading.frames)) {
        throw new Error(`The stream of task ${reading.taskId} ended normally before the task did.`);
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
      throw new Error(
        `Expected event ${frames.length + 1} of ${reading.taskId}, received ${frame.sequence}.`,
      );
    isFirst = false;
    if (reading.taskId === undefined) {
      reading.taskId = (JSON.parse(frame.json) as Extract<StreamResponse, { task: unknown }>).task.id;
      onTask?.(reading.taskId);
    }
  }
}

/** A resumed stream starts with the task as of the cursor, which is not an event. */
function checkReminder(frame: EventFrame, cursor: number): void {
  if (frame.sequence === cursor && frame.json.startsWith('{"task":') && frame.json.includes('"partial":true'))
    return;
  throw new Error(`Expected the task as of event ${cursor} first, received ${frame.sequence}: ${frame.json}`);
}

function hasEnded(frames: readonly EventFrame[]): boolean {
  const last = frames.at(-1);
  const state = last && stateOf(last);
  return state !== undefined && isTerminal(state);
}

function mayTryAgain(error: unknown): boolean {
  return error instanceof ConnectionLost || (error instanceof WireError && error.reason === 'UNAVAILABLE');
}
