import type { CommitListener } from './port.ts';

/** The listeners that are called after each commit. */
export class CommitListeners {
  readonly #listeners = new Set<CommitListener>();

  /** Returns a function that removes the listener. The same listener may be added twice. */
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

  /** Commits may have been missed: listeners are called without any, so that they read again. */
  announceMissed(): void {
    this.#call([]);
  }

  #call(commits: Parameters<CommitListener>[0]): void {
    for (const listener of this.#listeners) {
      try {
        listener(commits);
      } catch (error) {
        // A bug in the listener: report it without stopping the store.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
