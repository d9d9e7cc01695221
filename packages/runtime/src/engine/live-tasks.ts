import { A2AError } from '@holdword/protocol';
import type { CommitListener, TaskHeader } from '@holdword/store';
import type { TaskCreation } from './journal-writer.ts';
import { LiveTask, type LiveTaskDependencies } from './live-task.ts';
import { loadFold } from './load-fold.ts';
import { RotatingMap } from './rotating-map.ts';
import { heldElsewhere } from './turn-refusals.ts';

interface Entry {
  /** A promise for a task from the store. */
  opening: LiveTask | Promise<LiveTask>;
  live: LiveTask | undefined;
  users: number;
}

/**
 * The tasks this process may write to, each once, however many turns and cancellations ask for it.
 *
 * Responsible for taking the lease when a task from the store is needed, and for letting go of it with the last user or
 * when the task is lost: a task that nobody works on is never held (J7).
 */
export class LiveTasks {
  readonly #dependencies: LiveTaskDependencies;
  readonly #holder: string;
  readonly #entries = new RotatingMap<string, Entry>();
  #unreleased = new Set<LiveTask>();

  constructor(dependencies: LiveTaskDependencies, holder: string) {
    this.#dependencies = dependencies;
    this.#holder = holder;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The live task, if this process writes to it. */
  find(taskId: string): LiveTask | undefined {
    return this.#entries.get(taskId)?.live;
  }

  begin(taskId: string, creation: Omit<TaskCreation, 'holder'>): LiveTask {
    const live = LiveTask.begin(this.#dependencies, taskId, { ...creation, holder: this.#holder });
    this.#entries.set(taskId, { opening: live, live, users: 1 });
    this.#disposeWhenLost(live);
    return live;
  }

  /**
   * Takes a task from the store for writing, with `force` from another process that runs it, too. Every `open` is paired
   * with one `close`.
   */
  async open(header: TaskHeader, options: { force?: boolean } = {}): Promise<LiveTask> {
    let entry = this.#entries.get(header.taskId);
    if (entry === undefined) {
      entry = { opening: this.#load(header, options), live: undefined, users: 0 };
      this.#entries.set(header.taskId, entry);
    }
    entry.users += 1;
    try {
      return await entry.opening;
    } catch (error) {
      if (this.#entries.get(header.taskId) === entry) this.#entries.delete(header.taskId);
      throw error;
    }
  }

  close(live: LiveTask): void {
    const entry = this.#entries.get(live.taskId);
    // An abandoned task has left the map; another life of it may stand there now.
    if (entry?.live === live && --entry.users === 0) this.dispose(live);
  }

  /** Done with the task, whoever uses it: readers go on from the store, and who wants to write takes it anew. */
  dispose(live: LiveTask): void {
    if (this.find(live.taskId) === live) this.#entries.delete(live.taskId);
    live.dispose();
    if (live.holdsLease) void this.#releaseLease(live);
  }

  /** Hears of commits, also of other processes: a task that another one has written is lost to it. */
  noticeCommits(commits: Parameters<CommitListener>[0]): void {
    for (const { taskId, lastSequence } of commits) this.find(taskId)?.noticeCommit(lastSequence);
    if (commits.length === 0) void this.#checkForMissedCommits();
  }

  /** Tries again to give back the leases that the store did not take when their tasks were let go. */
  async releaseLeftovers(): Promise<void> {
    const leftovers = this.#unreleased;
    this.#unreleased = new Set();
    for (const live of leftovers) await this.#releaseLease(live);
  }

  async #load(header: TaskHeader, options: { force?: boolean }): Promise<LiveTask> {
    const { store } = this.#dependencies;
    const fence = await store.acquireLease(header.taskId, this.#holder, options);
    if (fence === undefined) throw heldElsewhere();
    try {
      const loaded = await loadFold(store, header.taskId);
      if (loaded === undefined) throw new A2AError('INTERNAL', 'The task has no journal.');
      const { fold, sequence: lastSequence } = loaded;
      const live = LiveTask.continue(this.#dependencies, header.owner, { fence, lastSequence, fold });
      (this.#entries.get(header.taskId) as Entry).live = live;
      this.#disposeWhenLost(live);
      return live;
    } catch (error) {
      // Why it could not be loaded is what the caller needs; the lease ends with this process at the latest.
      await store.releaseLease(header.taskId, fence).catch(() => {});
      throw error;
    }
  }

  #disposeWhenLost(live: LiveTask): void {
    live.whenLost(() => this.dispose(live));
  }

  /** Commits may have been missed, for example while the store was out of reach. */
  async #checkForMissedCommits(): Promise<void> {
    for (const taskId of this.#entries.keys()) {
      const header = await this.#dependencies.store.readTask(taskId).catch(() => undefined);
      if (header !== undefined) this.find(taskId)?.noticeCommit(header.lastSequence);
    }
  }

  async #releaseLease(live: LiveTask): Promise<void> {
    try {
      await live.releaseLease();
    } catch (error) {
      this.#unreleased.add(live);
      this.#dependencies.log.warn('A lease was not given back; it is tried again with the next heartbeat.', {
        taskId: live.taskId,
        error: String(error),
      });
    }
  }
}
