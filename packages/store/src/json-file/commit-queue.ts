import { storeClosed } from '../rejections.ts';
import type { StoreError } from '../store-error.ts';

/**
 * Commits changes in groups. Responsible for order and isolation: changes with a common subject are committed one after the
 * other, each checked against the result of the previous ones; all other waiting changes form a group and share one disk
 * sync. Readers see a change once it is committed (J1). Leaves the files to `write`.
 */
export class CommitQueue<Written> {
  readonly #write: (group: readonly Written[]) => Promise<(StoreError | undefined)[]>;
  readonly #onGroup: (written: readonly Written[]) => void;
  #waiting: WaitingChange<Written>[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;

  /** `write` returns an error or undefined for each item of a group; `onGroup` is called with the committed items. */
  constructor(
    write: (group: readonly Written[]) => Promise<(StoreError | undefined)[]>,
    onGroup: (written: readonly Written[]) => void,
  ) {
    this.#write = write;
    this.#onGroup = onGroup;
  }

  /** `plan` runs when it is the change's turn; if it throws, the change is rejected. */
  commit<Result>(subjects: readonly string[], plan: () => Plan<Written, Result>): Promise<Result> {
    if (this.#isClosed) return Promise.reject(storeClosed());
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        subjects,
        plan: () => {
          const { write, apply } = plan();
          return { write, finish: () => resolve(apply()) };
        },
        reject,
      });
      this.#running ??= this.#run();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    // All changes of this tick belong to the first group.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#commitGroup(this.#takeGroup());
    this.#running = undefined;
  }

  #takeGroup(): WaitingChange<Written>[] {
    const subjects = new Set<string>();
    const group: WaitingChange<Written>[] = [];
    const rest: WaitingChange<Written>[] = [];
    for (const change of this.#waiting) {
      const mustWait = change.subjects.some((subject) => subjects.has(subject));
      (mustWait ? rest : group).push(change);
      for (const subject of change.subjects) subjects.add(subject);
    }
    this.#waiting = rest;
    return group;
  }

  async #commitGroup(group: readonly WaitingChange<Written>[]): Promise<void> {
    const toWrite: { write: Written; finish: () => void; reject: (error: unknown) => void }[] = [];
    for (const { plan, reject } of group) {
      try {
        const { write, finish } = plan();
        if (write === undefined) finish();
        else toWrite.push({ write, finish, reject });
      } catch (error) {
        reject(error);
      }
    }
    const failures = await this.#write(toWrite.map(({ write }) => write));
    const written = toWrite.filter((_, index) => failures[index] === undefined);
    toWrite.forEach(({ finish, reject }, index) => {
      const failure = failures[index];
      if (failure === undefined) finish();
      else reject(failure);
    });
    this.#onGroup(written.map(({ write }) => write));
  }
}

export interface Plan<Written, Result> {
  /** What to write to disk. Absent if there is nothing to change. */
  write?: Written;
  /** Makes the change visible and returns its result. */
  apply: () => Result;
}

interface WaitingChange<Written> {
  subjects: readonly string[];
  plan: () => { write: Written | undefined; finish: () => void };
  reject: (error: unknown) => void;
}
