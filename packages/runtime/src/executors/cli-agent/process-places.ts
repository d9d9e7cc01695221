/** Places for processes that run at once. Whoever waits is served in order, and may give up waiting. */
export class ProcessPlaces {
  readonly #total: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Whether the next one would have to wait. */
  get full(): boolean {
    return this.#taken >= this.#total;
  }

  /** Resolves with a place and how to give it back; rejects with the signal's reason when that fires first. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.full) this.#taken += 1;
    else await this.#wait(signal);
    return () => this.#leave();
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

  /** The place goes to the one who waits longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
