import { A2AError } from '@parley/protocol';
import type { TaskHeader } from '@parley/store';
import { LiveTask, type LiveTaskDependencies } from './live-task.ts';
import { loadFold } from './load-fold.ts';
import type { TaskCreation } from './journal-writer.ts';

interface Entry {
  live: Promise<LiveTask>;
  users: number;
}

/**
 * The tasks this process may write to, each once, however many turns, cancellations and readers ask for it.
 *
 * Responsible for taking the lease when a task from the store is needed, and for letting go of it with the last user.
 */
export class LiveTasks {
  readonly #dependencies: LiveTaskDependencies;
  readonly #holder: string;
  readonly #entries = new Map<string, Entry>();
  readonly #ready = new Map<string, LiveTask>();

  constructor(dependencies: LiveTaskDependencies, holder: string) {
    this.#dependencies = dependencies;
    this.#holder = holder;
  }

  /** The live task, if this process writes to it. */
  find(taskId: string): LiveTask | undefined {
    return this.#ready.get(taskId);
  }

  all(): LiveTask[] {
    return [...this.#ready.values()];
  }

  begin(taskId: string, creation: Omit<TaskCreation, 'holder'>): LiveTask {
    const live = LiveTask.begin(this.#dependencies, taskId, { ...creation, holder: this.#holder });
    this.#entries.set(taskId, { live: Promise.resolve(live), users: 1 });
    this.#ready.set(taskId, live);
    return live;
  }

  /** Takes a task from the store for writing. Every `open` is paired with one `close`. */
  async open(header: TaskHeader): Promise<LiveTask> {
    let entry = this.#entries.get(header.taskId);
    if (entry === undefined) {
      entry = { live: this.#load(header), users: 0 };
      this.#entries.set(header.taskId, entry);
    }
    entry.users += 1;
    try {
      return await entry.live;
    } catch (error) {
      if (this.#entries.get(header.taskId) === entry) this.#entries.delete(header.taskId);
      throw error;
    }
  }

  close(live: LiveTask): void {
    const entry = this.#entries.get(live.taskId);
    if (entry === undefined || --entry.users > 0) return;
    this.#entries.delete(live.taskId);
    this.#ready.delete(live.taskId);
    live.retire();
  }

  async #load(header: TaskHeader): Promise<LiveTask> {
    const { store } = this.#dependencies;
    const fence = await store.acquireLease(header.taskId, this.#holder);
    if (fence === undefined) {
      throw new A2AError(
        'UNAVAILABLE',
        'Another process runs this task right now. Try again in a few seconds.',
        {
          retryAfterSeconds: 5,
        },
      );
    }
    const loaded = await loadFold(store, header.taskId);
    if (loaded === undefined) throw new A2AError('INTERNAL', 'The task has no journal.');
    const live = LiveTask.continue(this.#dependencies, header.owner, {
      fence,
      lastSequence: loaded.sequence,
      fold: loaded.fold,
    });
    this.#ready.set(header.taskId, live);
    return live;
  }
}
