import type { Store } from '@holdword/store';
import { Wakeups } from './wakeups.ts';

export interface CommitWatch {
  /** The highest committed sequence number the store has told of since the watch began. */
  known: number;
  readonly wakeups: Wakeups;
}

interface Counted extends CommitWatch {
  watchers: number;
}

/** Tells readers of a task that runs elsewhere, or does not run, when to look again. Costs nothing for unread tasks. */
export class CommitHints {
  readonly #watches = new Map<string, Counted>();
  readonly #unsubscribe: () => void;
  #missedEpoch = 0;
  #closed = false;

  constructor(store: Store) {
    this.#unsubscribe = store.onCommit((commits) => {
      if (this.#watches.size === 0) return;
      if (commits.length === 0) this.#noteMissedCommits();
      for (const { taskId, lastSequence } of commits) {
        const watch = this.#watches.get(taskId);
        if (watch === undefined) continue;
        watch.known = Math.max(watch.known, lastSequence);
        watch.wakeups.wakeAll();
      }
    });
  }

  /** Tasks that somebody watches. */
  get size(): number {
    return this.#watches.size;
  }

  /** Grows when commits may have been missed: who has read before that reads again. */
  get missedEpoch(): number {
    return this.#missedEpoch;
  }

  watch(taskId: string): CommitWatch {
    let watch = this.#watches.get(taskId);
    if (watch === undefined)
      this.#watches.set(taskId, (watch = { known: 0, wakeups: new Wakeups(), watchers: 0 }));
    watch.watchers += 1;
    return watch;
  }

  unwatch(taskId: string): void {
    const watch = this.#watches.get(taskId);
    if (watch !== undefined && --watch.watchers === 0) this.#watches.delete(taskId);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Nobody will be told any more: whoever sleeps is woken to find that out. */
  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    this.#wakeAll();
  }

  #noteMissedCommits(): void {
    this.#missedEpoch += 1;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const { wakeups } of this.#watches.values()) wakeups.wakeAll();
  }
}
