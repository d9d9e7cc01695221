/** Lets readers sleep until something new is committed. A wake-up is a hint: the reader checks for itself. */
export class Wakeups {
  /** Undefined while no reader sleeps: most short tasks end before one does. */
  #sleepers: Set<() => void> | undefined;

  get size(): number {
    return this.#sleepers?.size ?? 0;
  }

  wakeAll(): void {
    const sleepers = this.#sleepers;
    if (sleepers === undefined) return;
    this.#sleepers = undefined;
    for (const wake of sleepers) wake();
  }

  /** Resolves at the next wake-up or when the signal fires, whichever comes first. */
  async sleep(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = (): void => {
        this.#sleepers?.delete(wake);
        resolve();
      };
      (this.#sleepers ??= new Set()).add(wake);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
