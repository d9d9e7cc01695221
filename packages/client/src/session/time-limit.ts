import { setTimeout as pause } from 'node:timers/promises';
import { Deadline } from '@holdword/net/internal';

/**
 * The time that a call of a session may take, and its caller's wish to stop. When the time is up work ends quietly; when
 * the caller stops, it ends with the caller's reason.
 */
export class TimeLimit implements Disposable {
  /** Fires for both. */
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

  /** Throws the caller's reason when the caller has stopped. */
  throwIfAborted(): void {
    this.#caller?.throwIfAborted();
  }

  /** Waits so long, or until the time is up. */
  async pause(milliseconds: number): Promise<void> {
    try {
      await pause(Math.min(milliseconds, this.millisecondsLeft), undefined, { signal: this.signal });
    } catch {
      this.throwIfAborted();
    }
  }

  [Symbol.dispose](): void {
    this.#deadline[Symbol.dispose]();
  }
}
