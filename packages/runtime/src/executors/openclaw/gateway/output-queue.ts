import type { CliOutput } from '../../cli-agent/profile.ts';

/** Writes outputs one after another, for a source that does not wait. */
export class OutputQueue {
  readonly #write: (outputs: readonly CliOutput[]) => Promise<void>;
  #tail: Promise<void> = Promise.resolve();

  constructor(write: (outputs: readonly CliOutput[]) => Promise<void>) {
    this.#write = write;
  }

  add(outputs: readonly CliOutput[]): void {
    this.#tail = this.#tail.then(() => this.#write(outputs));
    // Whoever waits for the end learns it.
    this.#tail.catch(() => {});
  }

  /** Resolves when all is written; rejects with the first failure. */
  written(): Promise<void> {
    return this.#tail;
  }
}
