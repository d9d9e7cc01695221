/** A longer delay makes a timer fire at once. */
const LONGEST_DELAY_MILLISECONDS = 2 ** 31 - 1;

/** A timer for any time: longer than 24.8 days, which Node and browsers do not accept, and `Infinity`, which never ends. */
export class Timer implements Disposable {
  readonly #run: () => void;
  #handle: ReturnType<typeof setTimeout> | undefined;

  /** Throws a RangeError if the time is not a number. */
  constructor(milliseconds: number, run: () => void) {
    if (Number.isNaN(milliseconds))
      throw new RangeError('A timer needs a number of milliseconds, found NaN.');
    this.#run = run;
    this.#start(milliseconds);
  }

  #start(milliseconds: number): void {
    if (milliseconds === Infinity) return;
    this.#handle =
      milliseconds <= LONGEST_DELAY_MILLISECONDS
        ? setTimeout(this.#run, Math.max(0, milliseconds))
        : setTimeout(
            () => this.#start(milliseconds - LONGEST_DELAY_MILLISECONDS),
            LONGEST_DELAY_MILLISECONDS,
          );
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#handle);
  }
}

/**
 * Aborts its signal after a timeout unless it is disposed first. `AbortSignal.timeout` may be garbage collected when only
 * a signal combined from it is referenced, and does not accept long times.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: Timer;

  constructor(milliseconds: number) {
    this.#timer = new Timer(milliseconds, () => this.#controller.abort(timeoutError()));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }
}

/** Resolves as the promise does. Rejects with the error if that takes longer than the time. */
export async function withTimeout<Result>(
  promise: Promise<Result>,
  milliseconds: number,
  error: () => Error = timeoutError,
): Promise<Result> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = new Timer(milliseconds, () => reject(error()));
  try {
    return await Promise.race([promise, timedOut]);
  } finally {
    timer[Symbol.dispose]();
  }
}

/** Waits. Resolves early, without an error, if the signal aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => resolve();
  const timer = new Timer(milliseconds, done);
  signal?.addEventListener('abort', done);
  await promise;
  timer[Symbol.dispose]();
  signal?.removeEventListener('abort', done);
}

/**
 * The time for deadlines that are compared within one process, in milliseconds since the epoch as its clock showed them when
 * the process started. It never jumps when the clock of the machine is set.
 */
export function steadyNow(): number {
  return Math.round(performance.timeOrigin + performance.now());
}

/** Waits for the work, or rejects with the signal's reason; the work itself is not stopped. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function timeoutError(): Error {
  return new DOMException('The operation timed out.', 'TimeoutError');
}
