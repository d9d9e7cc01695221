import type { A2AError } from '@holdword/protocol';
import { unauthenticated, type Caller } from './authentication.ts';

/** A key is also taken for a second as it was read, so that a revoked one reads on for about two. */
const INTERVAL_MILLISECONDS = 1000;

interface WatchedStream {
  readonly isStillGood: () => Promise<boolean>;
  readonly lapse: (error: A2AError) => void;
}

/**
 * Looks again and again whether the callers of open streams may still read them.
 *
 * Responsible for one timer over the streams of all callers whose credential can lapse, because a timer each would cost
 * memory for every idle subscriber; without such streams there is none. Leaves the verdict to the way to authenticate, and
 * the end of a stream to whoever serves it. Credentials are asked one after the other: those behind the same key are read
 * from the store once, and a store that is slow is not asked twice at a time. One that cannot be asked ends nothing.
 */
export class CredentialWatch {
  readonly #streams = new Set<WatchedStream>();
  #timer: NodeJS.Timeout | undefined;
  #checking = false;

  /** Calls `lapse` once when the caller's credential is good no more; the function it gives ends the watch. */
  watch({ isStillGood }: Caller, lapse: (error: A2AError) => void): (() => void) | undefined {
    if (isStillGood === undefined) return undefined;
    const stream = { isStillGood, lapse };
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => void this.#check(), INTERVAL_MILLISECONDS).unref();
    return () => void this.#forget(stream);
  }

  async #check(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    for (const stream of this.#streams) {
      const isGood = await stream.isStillGood().catch(() => true);
      if (!isGood && this.#forget(stream)) stream.lapse(lapsed());
    }
    this.#checking = false;
  }

  #forget(stream: WatchedStream): boolean {
    const wasWatched = this.#streams.delete(stream);
    if (this.#streams.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    return wasWatched;
  }
}

function lapsed(): A2AError {
  return unauthenticated(
    'The credential that this stream was opened with is not valid any more: it has expired, or was revoked or replaced. ' +
      'Get a new one and subscribe again; the task goes on.',
  );
}
