/** Lets readers sleep until something new is committed. A wake-up is a hint: the reader looks for itself. */
export class Wakeups {
  #sleepers = new Set<() => void>();

  get size(): number {
    return this.#sleepers.size;
  }

  wakeAll(): void {
    const sleepers = this.#sleepers;
    if (sleepers.size === 0) return;
    this.#sleepers = new Set();
    for (const wake of sleepers) wake();
  }

  /** Resolves at the next wake-up or when the signal fires, whichever comes first. */
  async sleep(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', abandon);
        resolve();
      };
      const abandon = (): void => {
        this.#sleepers.delete(wake);
        resolve();
      };
      this.#sleepers.add(wake);
      signal.addEventListener('abort', abandon, { once: true });
    });
  }
}
