import type { Door } from '../load/stage.ts';

/** Where clients wait until they are let in to a server, and again after it has gone. */
export class ClosableDoor implements Door {
  #address = Promise.withResolvers<string>();
  #isOpen = false;

  open(address: string): void {
    this.#address.resolve(address);
    this.#isOpen = true;
  }

  close(): void {
    // Whoever waits at a closed door goes on waiting at it.
    if (this.#isOpen) this.#address = Promise.withResolvers<string>();
    this.#isOpen = false;
  }

  async admitted(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      return await Promise.race([this.#address.promise, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}
