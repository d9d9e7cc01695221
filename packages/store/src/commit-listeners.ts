import type { CommitListener } from './port.ts';

/** Who wants to hear of commits. */
export class CommitListeners {
  readonly #listeners = new Set<CommitListener>();

  /** Returns how to stop. The same function may be added twice. */
  add(listener: CommitListener): () => void {
    const own: CommitListener = (commits) => listener(commits);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  get size(): number {
    return this.#listeners.size;
  }

  announce(commits: Parameters<CommitListener>[0]): void {
    if (commits.length > 0) this.#call(commits);
  }

  /** Something may have been committed that nobody was told of. */
  lookAgain(): void {
    this.#call([]);
  }

  #call(commits: Parameters<CommitListener>[0]): void {
    for (const listener of this.#listeners) {
      try {
        listener(commits);
      } catch (error) {
        // The listener's own fault: it must come to light without stopping the store.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
