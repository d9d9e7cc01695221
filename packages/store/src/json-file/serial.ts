/** Runs asynchronous work one at a time, in the order of the calls. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when all work passed to `run` so far has settled. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
