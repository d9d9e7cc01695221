/** Work that continues after its call has returned. Failures are ignored; only `finish` waits for it. */
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
