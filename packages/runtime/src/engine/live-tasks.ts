import { A2AError } from '@holdword/protocol';
import { isStoreError, type StoreError, type CommitListener, type TaskHeader } from '@holdword/store';
import { errorReason, OutageLog } from '../log.ts';
import { isTakenOver, type TaskCreation } from './journal-writer.ts';
import { LiveTask, type LiveTaskDependencies } from './live-task.ts';
import { loadFold } from './task-fold.ts';
import { RotatingMap } from '../rotating-map.ts';
import { heldElsewhere } from './turn-errors.ts';

const MOST_GIVEN_UP = 10_000;

interface Entry {
  /** A promise while a task is loaded from the store. */
  opening: LiveTask | Promise<LiveTask>;
  live: LiveTask | undefined;
  users: number;
}

/**
 * The tasks that this process may write to, one LiveTask each, however many turns and cancellations use it.
 *
 * Responsible for acquiring the lease when a task from the store is needed, and for releasing it after the last use or
 * when the task is lost: a task that nobody works on is never held (J7).
 */
export class LiveTasks {
  readonly #dependencies: LiveTaskDependencies;
  readonly #holder: string;
  readonly #entries = new RotatingMap<string, Entry>();
  readonly #outage: OutageLog;
  #unreleased = new Set<LiveTask>();
  readonly #givenUp = new Set<string>();

  constructor(dependencies: LiveTaskDependencies, holder: string) {
    this.#dependencies = dependencies;
    this.#outage = new OutageLog(dependencies.log, {
      beginning: 'Could not release a lease. Retrying with the next heartbeat.',
      end: 'Leases are released again.',
    });
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
   * Loads a task from the store for writing; with `force` even if another process runs it. Every `open` is paired with
   * one `close`.
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
    // A disposed task has left the map; a newer LiveTask of the same task may be there now.
    if (entry?.live === live && --entry.users === 0) this.dispose(live);
  }

  /** Ends the use of the task for all its users: readers continue from the store, and a writer has to open it again. */
  dispose(live: LiveTask): void {
    if (this.find(live.taskId) === live) this.#entries.delete(live.taskId);
    live.dispose();
    if (live.holdsLease) void this.#releaseLease(live);
  }

  /** Whether this process gave the task up because the store did not accept what its agent wrote. */
  isGivenUp(taskId: string): boolean {
    return this.#givenUp.has(taskId);
  }

  /** The task has got its outcome. */
  forgetGivenUp(taskId: string): void {
    this.#givenUp.delete(taskId);
  }

  /** Handles commits, including those of other processes: a task that another process has written is lost to it. */
  noticeCommits(commits: Parameters<CommitListener>[0]): void {
    for (const { taskId, lastSequence } of commits) this.find(taskId)?.noticeCommit(lastSequence);
    if (commits.length === 0) void this.#checkForMissedCommits();
  }

  /** Retries the release of leases that the store rejected. */
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
      const fold = await loadFold(store, header.taskId);
      if (fold === undefined) throw new A2AError('INTERNAL', 'The task has no journal.');
      const live = LiveTask.continue(this.#dependencies, header.owner, { fence, fold });
      (this.#entries.get(header.taskId) as Entry).live = live;
      this.#disposeWhenLost(live);
      return live;
    } catch (error) {
      // The caller needs the reason why it could not be loaded; the lease expires with this process at the latest.
      await store.releaseLease(header.taskId, fence).catch(() => {});
      throw error;
    }
  }

  #disposeWhenLost(live: LiveTask): void {
    live.whenLost((failure) => {
      if (isStoreError(failure) && !isTakenOver(failure)) this.#giveUp(live, failure);
      this.dispose(live);
    });
  }

  #giveUp(live: LiveTask, failure: StoreError): void {
    // The caller of a message that was never stored was told so, and a server that stops has closed its store.
    if (live.committed === undefined || live.isSettled || failure.code === 'closed') return;
    if (failure.code === 'unknown-task') {
      this.#dependencies.log.warn('A task was deleted while its agent worked on it. The turn is aborted.', {
        taskId: live.taskId,
      });
      return;
    }
    const [oldest] = this.#givenUp;
    // Another process may have ended those that are still here.
    if (oldest !== undefined && this.#givenUp.size >= MOST_GIVEN_UP) this.#givenUp.delete(oldest);
    this.#givenUp.add(live.taskId);
    this.#dependencies.log.error(
      'What the agent wrote was given up, because the store did not take it. Its task gets an outcome when the store is back.',
      { taskId: live.taskId, error: errorReason(failure) },
    );
  }

  /** Commits may have been missed, for example while the store was unreachable. */
  async #checkForMissedCommits(): Promise<void> {
    for (const taskId of this.#entries.keys()) {
      const header = await this.#dependencies.store.readTask(taskId).catch(() => undefined);
      if (header !== undefined) this.find(taskId)?.noticeCommit(header.lastSequence);
    }
  }

  async #releaseLease(live: LiveTask): Promise<void> {
    try {
      await live.releaseLease();
      this.#outage.succeeded();
    } catch (error) {
      this.#unreleased.add(live);
      this.#outage.failed(error, { taskId: live.taskId });
    }
  }
}
