/**
 * Named gates between a test and the code it watches: the code stops at a gate, the test learns that it is there and lets
 * it pass. They replace pauses, so nothing depends on how fast the machine is.
 */
export class Gates {
  readonly #gates = new Map<string, Gate>();

  /** Waits until the gate is open; rejects when the signal fires first. */
  async pass(name: string, signal?: AbortSignal): Promise<void> {
    const gate = this.#gate(name);
    gate.isReached = true;
    gate.reached.resolve();
    if (signal === undefined) {
      await gate.opened.promise;
      return;
    }
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => {
      gate.abandoned.resolve();
      aborted.reject(signal.reason);
    };
    signal.addEventListener('abort', abort);
    try {
      await Promise.race([gate.opened.promise, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Resolves when somebody waits at the gate or has passed it. */
  reached(name: string): Promise<void> {
    return this.#gate(name).reached.promise;
  }

  /** Resolves when somebody who waited at the gate was called back. */
  abandoned(name: string): Promise<void> {
    return this.#gate(name).abandoned.promise;
  }

  /** Whether anybody has come to the gate yet. */
  isReached(name: string): boolean {
    return this.#gate(name).isReached;
  }

  open(name: string): void {
    this.#gate(name).opened.resolve();
  }

  #gate(name: string): Gate {
    const known = this.#gates.get(name);
    if (known !== undefined) {
      return known;
    }
    const gate: Gate = {
      isReached: false,
      reached: Promise.withResolvers(),
      opened: Promise.withResolvers(),
      abandoned: Promise.withResolvers(),
    };
    this.#gates.set(name, gate);
    return gate;
  }
}

interface Gate {
  isReached: boolean;
  reached: PromiseWithResolvers<void>;
  opened: PromiseWithResolvers<void>;
  abandoned: PromiseWithResolvers<void>;
}
