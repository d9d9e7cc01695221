import { A2AError, RESUME_EXTENSION, type Task } from '@holdword/protocol';
import { isLazy, withoutLazy } from '@holdword/protocol/internal';
import { afterOtherWork } from '../after-other-work.ts';
import type { Engine } from '../engine/engine.ts';
import { snapshotOf } from '../engine/event-codec.ts';
import type { RequestContext, StreamFrame } from './operations.ts';

/** A larger task is returned only to callers that read it piece by piece. */
const WHOLE_CHARACTERS = 32 * 1024 * 1024;

/** The value with everything in memory, for callers that cannot read it piece by piece. Rejects if it is too large for that. */
export async function whole<Value>(
  value: Value,
  mostCharacters = WHOLE_CHARACTERS,
  refusal: () => A2AError = tooLarge,
): Promise<Value> {
  if (!isLazy(value)) return value;
  let left = mostCharacters;
  const count = (characters: number): void => {
    left -= characters;
    if (left < 0) throw refusal();
  };
  const loaded = (await withoutLazy(value, count)) as Value;
  // What follows is to encode all of it at once.
  await afterOtherWork();
  return loaded;
}

function tooLarge(): A2AError {
  return new A2AError(
    'UNSUPPORTED_OPERATION',
    `The task is larger than ${WHOLE_CHARACTERS} bytes, which is too large for one message of this binding. Get it over ` +
      `JSON-RPC or REST, or subscribe to it with the extension ${RESUME_EXTENSION} and a cursor, 0 for all of it, to ` +
      'receive its events one by one.',
  );
}

/** The task, complete up to `sequence`, as the first frame of a stream. */
export async function taskFrame(
  { includeSequence }: Engine,
  context: RequestContext,
  { task, sequence }: { task: Task; sequence: number },
  marks?: object,
): Promise<StreamFrame & { sequence: number }> {
  const snapshot = snapshotOf(task, sequence, includeSequence || marks !== undefined, marks);
  if (context.readsPieces !== true && isLazy(snapshot)) {
    return { json: JSON.stringify(await whole(snapshot)), sequence };
  }
  return { ...frameOf(snapshot), sequence };
}

/** A task as a frame without a sequence number. */
export function frameOf(event: { readonly task: Task }): StreamFrame {
  return isLazy(event) ? { json: '', lazy: event } : { json: JSON.stringify(event) };
}
