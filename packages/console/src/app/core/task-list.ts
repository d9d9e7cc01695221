// The rows of the list of tasks: pages that were read by cursor, and what has changed since. Pages far from what is on the
// screen are forgotten and read again by their cursor, so that memory does not grow with the distance that somebody scrolls.
import type { TaskChange, TaskPage, TaskRow } from '../../api/tasks.ts';

export const PAGE_ROWS = 100;
/** Pages that are kept around the one on the screen. */
const KEPT_PAGES = 20;

interface LoadedPage {
  readonly cursor: string | undefined;
  /** Of its rows; it stays when they are forgotten. */
  readonly length: number;
  rows: TaskRow[] | undefined;
}

export interface TaskListSource {
  readonly read: (cursor: string | undefined) => Promise<TaskPage>;
  /** Something to show has changed. */
  readonly changed: () => void;
}

export class TaskList {
  /** Tasks that began after the first page was read, the newest first. */
  #fresh: TaskRow[] = [];
  /** New tasks that wait until somebody who has scrolled down comes back. */
  #waiting: TaskRow[] = [];
  #pages: LoadedPage[] = [];
  #next: string | null | undefined;
  #reading: Promise<void> | undefined;
  #stopped = false;
  readonly #source: TaskListSource;

  /** Why the last page could not be read. */
  error: unknown;
  total: number | null = null;
  searchedUntil: string | null = null;

  constructor(source: TaskListSource) {
    this.#source = source;
  }

  get length(): number {
    return this.#fresh.length + this.#pages.reduce((sum, { length }) => sum + length, 0);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether there is more to read, or nothing was read yet. */
  get hasMore(): boolean {
    return this.#next !== null;
  }

  get isLoaded(): boolean {
    return this.#next !== undefined;
  }

  row(index: number): TaskRow | undefined {
    if (index < this.#fresh.length) return this.#fresh[index];
    let below = index - this.#fresh.length;
    for (const page of this.#pages) {
      if (below < page.length) return page.rows?.[below];
      below -= page.length;
    }
    return undefined;
  }

  /** All rows from `from` to `to`, as far as they are loaded: what a range of marked rows has. */
  loaded(): TaskRow[] {
    return [...this.#fresh, ...this.#pages.flatMap(({ rows }) => rows ?? [])];
  }

  /** Reads what is missing to show the rows from `first` to `last`. */
  async show(first: number, last: number): Promise<void> {
    if (this.#reading !== undefined || this.#stopped) return;
    this.#reading = this.#fill(first, last);
    try {
      await this.#reading;
    } finally {
      this.#reading = undefined;
    }
  }

  async #fill(first: number, last: number): Promise<void> {
    try {
      this.#forgetFarFrom(first, last);
      await this.#readForgotten(first, last);
      // A search looks at a bounded number of tasks for each page; an empty page is no end.
      while (!this.#stopped && this.hasMore && last >= this.length) {
        const page = await this.#source.read(this.#next ?? undefined);
        const known = new Set([...this.#fresh, ...(this.#pages.at(-1)?.rows ?? [])].map(({ id }) => id));
        const rows = page.tasks.filter(({ id }) => !known.has(id));
        if (rows.length > 0 || this.#pages.length === 0)
          this.#pages.push({ cursor: this.#next ?? undefined, length: rows.length, rows });
        this.#next = page.nextCursor;
        this.total = page.total ?? this.total;
        this.searchedUntil = page.searchedUntil;
        this.error = undefined;
        this.#source.changed();
      }
    } catch (error) {
      this.error = error;
      this.#source.changed();
    }
  }

  #pagesBetween(first: number, last: number): [number, number] {
    let [start, from, to] = [this.#fresh.length, this.#pages.length, 0];
    for (const [index, { length }] of this.#pages.entries()) {
      if (start + length > first && start <= last) [from, to] = [Math.min(from, index), index];
      start += length;
    }
    return [from, to];
  }

  #forgetFarFrom(first: number, last: number): void {
    const [from, to] = this.#pagesBetween(first, last);
    for (const [index, page] of this.#pages.entries()) {
      if (index < from - KEPT_PAGES || index > to + KEPT_PAGES) page.rows = undefined;
    }
  }

  async #readForgotten(first: number, last: number): Promise<void> {
    const [from, to] = this.#pagesBetween(first, last);
    for (const page of this.#pages.slice(from, to + 1)) {
      if (page.rows !== undefined) continue;
      const { tasks } = await this.#source.read(page.cursor);
      page.rows = tasks.slice(0, page.length);
      this.#source.changed();
    }
  }

  /** Applies a change that the server reports. Rows keep their position; new ones wait unless the top is on the screen. */
  apply(change: TaskChange, { atTop }: { atTop: boolean }): void {
    if (change.type === 'task') this.#put(change.task, atTop);
    else if (change.type === 'gone') this.#replace(change.id, undefined);
    this.#source.changed();
  }

  #put(task: TaskRow, atTop: boolean): void {
    if (this.#replace(task.id, task)) return;
    const waits = this.#waiting.findIndex(({ id }) => id === task.id);
    if (waits !== -1) this.#waiting[waits] = task;
    else if (this.#isNew(task)) (atTop ? this.#fresh : this.#waiting).unshift(task);
  }

  /** An older task that has changed and is not on a loaded page comes with its page. */
  #isNew(task: TaskRow): boolean {
    const newest = this.#fresh[0] ?? this.#pages[0]?.rows?.[0];
    return newest === undefined ? this.isLoaded : task.createdAt >= newest.createdAt;
  }

  showWaiting(): void {
    this.#fresh.unshift(...this.#waiting);
    this.#waiting = [];
    this.#source.changed();
  }

  #replace(id: string, task: TaskRow | undefined): boolean {
    for (const rows of [this.#fresh, ...this.#pages.map((page) => page.rows ?? [])]) {
      const index = rows.findIndex((row) => row.id === id);
      if (index === -1) continue;
      // A row that no longer matches stays until the list is read again: rows must not jump under the pointer.
      if (task !== undefined) rows[index] = task;
      return true;
    }
    return false;
  }

  stop(): void {
    this.#stopped = true;
  }
}
