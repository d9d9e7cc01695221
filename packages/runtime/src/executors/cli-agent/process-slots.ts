/** Limits how many processes run at once. Waiting callers are served in order, and a signal ends their wait. */
export class ProcessSlots {
  readonly #total: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Whether the next `take` has to wait. */
  get full(): boolean {
    return this.#taken >= this.#total;
  }

  /** Resolves with the function that releases the slot; rejects with the signal's reason if that fires first. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.full) this.#taken += 1;
    else await this.#wait(signal);
    return () => this.#release();
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.delete(proceed);
        reject(signal.reason as Error);
      };
      const proceed = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(proceed);
    });
  }

  /** Passes the slot to the caller that has waited longest. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
