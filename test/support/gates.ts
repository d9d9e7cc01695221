/**
 * Named gates that synchronize a test with the code under test: the code stops at a gate, the test learns that it is there and
 * lets it pass. They replace sleeps, so that nothing depends on the speed of the machine.
 */
export class Gates {
  readonly #gates = new Map<string, Gate>();

  /** Waits until the gate is open; rejects if the signal is aborted first. */
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

  /** Resolves when the code waits at the gate or has passed it. */
  reached(name: string): Promise<void> {
    return this.#gate(name).reached.promise;
  }

  /** Resolves when the code was aborted while it waited at the gate. */
  abandoned(name: string): Promise<void> {
    return this.#gate(name).abandoned.promise;
  }

  /** Whether the code has reached the gate. */
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
