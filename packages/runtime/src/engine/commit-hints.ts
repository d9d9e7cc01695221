import type { Store } from '@holdword/store';

export interface CommitWatch {
  /** The highest committed sequence number that the store has reported since the watch began. */
  known: number;
  readonly wakeups: Wakeups;
}

interface Counted extends CommitWatch {
  watchers: number;
}

/**
 * Tells readers of a task that runs in another process, or does not run, when to read again. Costs nothing for tasks
 * without readers.
 */
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

  /** The number of watched tasks. */
  get size(): number {
    return this.#watches.size;
  }

  /** Increases whenever commits may have been missed: a reader that read before must read again. */
  get missedEpoch(): number {
    return this.#missedEpoch;
  }

  /** Whether somebody reads the task. */
  isWatched(taskId: string): boolean {
    return this.#watches.has(taskId);
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

  /** No more hints will come: wakes all sleeping readers, so that they notice. */
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

/** Lets readers sleep until something new is committed. A wake-up is a hint: the reader checks for itself. */
export class Wakeups {
  /** Undefined while no reader sleeps: most short tasks end before one does. */
  #sleepers: Set<() => void> | undefined;

  get size(): number {
    return this.#sleepers?.size ?? 0;
  }

  wakeAll(): void {
    const sleepers = this.#sleepers;
    if (sleepers === undefined) return;
    this.#sleepers = undefined;
    for (const wake of sleepers) wake();
  }

  /** Resolves at the next wake-up or when the signal fires, whichever comes first. */
  async sleep(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake: () => void = resolve;
    (this.#sleepers ??= new Set()).add(wake);
    signal.addEventListener('abort', wake);
    await promise;
    this.#sleepers?.delete(wake);
    signal.removeEventListener('abort', wake);
  }
}
