import type { Store, TaskHeader } from '@holdword/store';
import type { TaskChange } from '../api/tasks.ts';
import { serverSentEvent } from './api-request.ts';
import { isInScope, type TaskList, type TaskScope } from './task-list.ts';
import { toTaskRow } from './task-rows.ts';

/** Changes are collected for this long: a list that changes more often cannot be read. */
const PAUSE_MILLISECONDS = 250;
/** More tasks that change within the pause are not read one by one. */
const MOST_READ = 200;

interface Watcher {
  readonly scope: TaskScope;
  /** What changed since the watcher was last told. */
  readonly changes: Map<string, TaskChange>;
  /** The tasks that the watcher was told of, so that it learns when one no longer matches. The oldest are forgotten. */
  readonly told: Set<string>;
  isReloading: boolean;
  wake: () => void;
}

const MOST_TOLD = 10_000;

/**
 * Tells those who look at lists of tasks what has changed, from the commits of the store: no list is read again for it.
 *
 * Responsible for reading each changed task once, however many look, and for giving up on details if more change than can be
 * read. Costs nothing while nobody looks. Leaves to the scope what each may see (J9).
 */
export class TaskWatch {
  readonly #store: Store;
  readonly #list: TaskList;
  readonly #watchers = new Set<Watcher>();
  readonly #changed = new Set<string>();
  #missed = false;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(store: Store, list: TaskList) {
    this.#store = store;
    this.#list = list;
  }

  /** The changes of a scope as server-sent events, until the signal fires. */
  async *watch(scope: TaskScope, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    let { promise, resolve } = Promise.withResolvers<void>();
    const watcher: Watcher = {
      scope,
      changes: new Map(),
      told: new Set(),
      isReloading: false,
      wake: () => resolve(),
    };
    signal.addEventListener('abort', watcher.wake);
    this.#add(watcher);
    try {
      while (!signal.aborted) {
        const text = takeChanges(watcher);
        if (text !== '') {
          yield text;
          continue;
        }
        await promise;
        ({ promise, resolve } = Promise.withResolvers<void>());
      }
    } finally {
      signal.removeEventListener('abort', watcher.wake);
      this.#remove(watcher);
    }
  }

  close(): void {
    for (const watcher of this.#watchers) this.#remove(watcher);
  }

  #add(watcher: Watcher): void {
    this.#watchers.add(watcher);
    this.#unsubscribe ??= this.#store.onCommit((commits) => {
      if (commits.length === 0) this.#missed = true;
      for (const { taskId } of commits) {
        if (this.#changed.size < MOST_READ) this.#changed.add(taskId);
        else if (!this.#changed.has(taskId)) this.#missed = true;
      }
      this.#timer ??= setTimeout(() => void this.#tellAll(), PAUSE_MILLISECONDS);
    });
  }

  #remove(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.clear();
  }

  async #tellAll(): Promise<void> {
    const changed = [...this.#changed];
    const missed = this.#missed;
    this.#changed.clear();
    this.#missed = false;
    try {
      for (const taskId of changed) {
        const header = await this.#store.readTask(taskId);
        for (const watcher of this.#watchers) await this.#tell(watcher, taskId, header);
      }
    } catch {
      // The store is away: the lists are read again when it is back.
      this.#missed = true;
    }
    if (missed) for (const watcher of this.#watchers) watcher.isReloading = true;
    for (const watcher of this.#watchers) watcher.wake();
    this.#timer = undefined;
    if (this.#watchers.size > 0 && (this.#changed.size > 0 || this.#missed))
      this.#timer = setTimeout(() => void this.#tellAll(), PAUSE_MILLISECONDS);
  }

  async #tell(watcher: Watcher, taskId: string, header: TaskHeader | undefined): Promise<void> {
    const { scope, changes, told } = watcher;
    // A client that does not keep up reads the list again.
    if (changes.size >= MOST_READ) watcher.isReloading = true;
    if (watcher.isReloading) return;
    if (header !== undefined && (await this.#matches(scope, header))) {
      changes.set(taskId, { type: 'task', task: toTaskRow(header) });
      told.delete(taskId);
      told.add(taskId);
      const [oldest] = told;
      if (told.size > MOST_TOLD && oldest !== undefined) told.delete(oldest);
    } else if (isKnown(scope, header) || told.delete(taskId)) {
      changes.set(taskId, { type: 'gone', id: taskId });
    }
  }

  async #matches(scope: TaskScope, header: TaskHeader): Promise<boolean> {
    if (!isInScope(scope, header)) return false;
    const { text } = scope.filter;
    return text === undefined || this.#list.contains(header, text);
  }
}

/** Whether the viewer may have the task in its list from before it watched: it belongs to the owner, and only its state differs. */
function isKnown({ owner, filter }: TaskScope, header: TaskHeader | undefined): boolean {
  if (header === undefined || filter.state === undefined) return false;
  return isInScope({ owner, filter: { ...filter, state: undefined } }, header);
}

/** What a watcher has not been told yet, as server-sent events. */
function takeChanges(watcher: Watcher): string {
  const changes: TaskChange[] = watcher.isReloading ? [{ type: 'reload' }] : [...watcher.changes.values()];
  watcher.isReloading = false;
  watcher.changes.clear();
  return changes.map((change) => serverSentEvent(JSON.stringify(change))).join('');
}
