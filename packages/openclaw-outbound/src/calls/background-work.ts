/** Work that goes on after its call has answered. It may fail: nobody waits for it but `finish`. */
export class BackgroundWork {
  readonly #running = new Set<Promise<unknown>>();

  run(work: () => Promise<unknown>): void {
    const done: Promise<unknown> = work()
      .catch(() => {})
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  async finish(): Promise<void> {
    await Promise.all(this.#running);
  }
}
