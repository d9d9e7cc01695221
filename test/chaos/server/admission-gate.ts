import type { Gate } from '../load/load-context.ts';

/** Makes clients wait until a server admits them, and again after it has stopped. */
export class AdmissionGate implements Gate {
  #address = Promise.withResolvers<string>();
  #isOpen = false;

  open(address: string): void {
    this.#address.resolve(address);
    this.#isOpen = true;
  }

  close(): void {
    // Clients that already wait keep their promise.
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
