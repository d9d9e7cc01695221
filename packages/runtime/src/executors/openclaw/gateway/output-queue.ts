import type { CliOutput } from '../../cli-agent/profile.ts';

/** Writes outputs one after another, for a source that does not await the writes. */
export class OutputQueue {
  readonly #write: (outputs: readonly CliOutput[]) => Promise<void>;
  #tail: Promise<void> = Promise.resolve();

  constructor(write: (outputs: readonly CliOutput[]) => Promise<void>) {
    this.#write = write;
  }

  add(outputs: readonly CliOutput[]): void {
    this.#tail = this.#tail.then(() => this.#write(outputs));
    // Reported by `written`.
    this.#tail.catch(() => {});
  }

  /** Resolves when everything is written; rejects with the first error. */
  written(): Promise<void> {
    return this.#tail;
  }
}
