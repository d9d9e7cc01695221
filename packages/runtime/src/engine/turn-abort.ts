/** Why a turn's signal fired. */
export type TurnAbortReason = 'canceled' | 'stopped' | 'lost';

export class TurnAborted extends Error {
  override readonly name = 'TurnAborted';
  readonly reason: TurnAbortReason;

  constructor(reason: TurnAbortReason) {
    super(`The turn was ${reason}.`);
    this.reason = reason;
  }
}

/** Ends a turn from outside, once. Its signal is created on first use: most short turns never need one. */
export class TurnAbort {
  #controller: AbortController | undefined;
  #reason: TurnAbortReason | undefined;

  /** Why the turn was aborted. Undefined if it was not. */
  get reason(): TurnAbortReason | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(new TurnAborted(this.#reason));
    }
    return this.#controller.signal;
  }

  abort(reason: TurnAbortReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(new TurnAborted(reason));
  }
}
