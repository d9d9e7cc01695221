/** Pauses users between two scenarios: a running scenario is finished, and no other is started. */
export class ScenarioPause {
  #isOver = Promise.withResolvers<void>();
  #areAllIdle = Promise.withResolvers<void>();
  #running = 0;

  constructor() {
    this.#isOver.resolve();
  }

  /** Runs a scenario, after the pause if there is one. */
  async run(scenario: () => Promise<void>): Promise<void> {
    await this.#isOver.promise;
    this.#running += 1;
    try {
      await scenario();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#areAllIdle.resolve();
    }
  }

  /** Resolves when no scenario is running. */
  async begin(): Promise<void> {
    this.#isOver = Promise.withResolvers();
    this.#areAllIdle = Promise.withResolvers();
    if (this.#running > 0) await this.#areAllIdle.promise;
  }

  end(): void {
    this.#isOver.resolve();
  }
}
