import { A2AError } from '@holdword/protocol';
import type { EventStream } from '../../operations/operations.ts';
import { task } from './fake-operations.ts';

/** One event, and then nothing until the reader disconnects. */
export async function* quietStream({ signal }: { signal: AbortSignal }): EventStream {
  yield [{ json: task('t-1'), sequence: 1 }];
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

/** One event, and then a failure. */
export async function* failingStream(): EventStream {
  yield [{ json: task('t-1'), sequence: 1 }];
  throw new A2AError('UNAVAILABLE', 'The store is away.');
}
