import type { A2AError } from '@holdword/protocol';
import { unauthenticated, type Caller } from './authentication.ts';

/** Keys are cached for a second, so a stream with a revoked key ends after about two. */
const INTERVAL_MILLISECONDS = 1000;

interface WatchedStream {
  readonly isStillGood: () => Promise<boolean>;
  readonly lapse: (error: A2AError) => void;
}

/**
 * Checks regularly whether the callers of open streams may still read them.
 *
 * Responsible for one timer for the streams of all callers whose credential can lapse, because a timer per stream would
 * cost memory for every idle subscriber; without such streams there is no timer. Leaves the decision to the
 * authentication method, and ending a stream to its endpoint. Credentials are checked one after the other: a key that
 * several streams share is read from the store once, and a slow store is not queried twice at a time. If the check
 * itself fails, no stream ends.
 */
export class CredentialWatch {
  readonly #streams = new Set<WatchedStream>();
  #timer: NodeJS.Timeout | undefined;
  #checking = false;

  /** Calls `lapse` once when the caller's credential is no longer valid. Returns the function that ends the watch. */
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
    'The credential of this stream is no longer valid: it has expired, or was revoked or replaced. ' +
      'Get a new one and subscribe again; the task is still running.',
  );
}
