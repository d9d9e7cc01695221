/** Runs pieces of work one after the other, in the order in which they were handed in. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when all work handed in so far has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
