import { Deadline, pause } from '@holdword/protocol/internal';

/**
 * The timeout of a call combined with its caller's abort signal. When the timeout expires, work ends without an error;
 * when the caller aborts, it ends with the caller's reason.
 */
export class TimeLimit implements Disposable {
  /** Aborts on timeout and when the caller aborts. */
  readonly signal: AbortSignal;
  readonly #deadline: Deadline;
  readonly #end: number;
  readonly #caller: AbortSignal | undefined;

  constructor(seconds: number, caller?: AbortSignal) {
    this.#deadline = new Deadline(seconds * 1000);
    this.#end = Date.now() + seconds * 1000;
    this.#caller = caller;
    this.signal = caller ? AbortSignal.any([caller, this.#deadline.signal]) : this.#deadline.signal;
  }

  get isExpired(): boolean {
    return this.#deadline.signal.aborted || Date.now() >= this.#end;
  }

  get millisecondsLeft(): number {
    return Math.max(1, this.#end - Date.now());
  }

  /** Throws the caller's reason if the caller has aborted. */
  throwIfAborted(): void {
    this.#caller?.throwIfAborted();
  }

  /** Waits for this time, or until the timeout expires. */
  async pause(milliseconds: number): Promise<void> {
    await pause(Math.min(milliseconds, this.millisecondsLeft), this.signal);
    this.throwIfAborted();
  }

  [Symbol.dispose](): void {
    this.#deadline[Symbol.dispose]();
  }
}
