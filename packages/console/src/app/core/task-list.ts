// The rows of the list of tasks: pages that were read by cursor, and what has changed since. Pages far from what is on the
// screen are forgotten and read again by their cursor, so that memory does not grow with the distance that somebody scrolls.
import type { TaskChange, TaskPage, TaskRow } from '../../api/tasks.ts';

/** The first page is small, so that it is there soon. */
export const PAGE_ROWS = 100;
/** The others are long, because somebody who scrolls through many tasks does not wait for each hundred. */
export const LATER_ROWS = 500;
/** Rows that are read before they are on the screen, at first and after somebody has begun to scroll. */
const READ_AHEAD = 40;
const READ_FURTHER_AHEAD = 500;
/** Pages that are kept around the one on the screen. */
const KEPT_PAGES = 4;
/** A search that finds little stops after this many pages and asks. */
const MOST_PAGES_OF_SEARCH = 20;

interface LoadedPage {
  readonly cursor: string | undefined;
  /** Of its rows; both stay when they are forgotten. */
  readonly length: number;
  /** How many rows the pages before it have. */
  readonly start: number;
  rows: TaskRow[] | undefined;
}

export interface TaskListSource {
  readonly read: (cursor: string | undefined, limit: number) => Promise<TaskPage>;
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
  /** The rows on the screen. */
  #wanted: readonly [first: number, last: number] = [0, 0];
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
    return this.#fresh.length + this.#pagedLength;
  }

  get #pagedLength(): number {
    const last = this.#pages.at(-1);
    return last === undefined ? 0 : last.start + last.length;
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
    const below = index - this.#fresh.length;
    const page = this.#pages[this.#pageAt(below)];
    return page?.rows?.[below - page.start];
  }

  /** Which page has a row, of those below the fresh ones. There may be thousands of pages. */
  #pageAt(below: number): number {
    let [low, high] = [0, this.#pages.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#pages[middle]?.start ?? 0) <= below) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** All rows that are loaded. */
  loaded(): TaskRow[] {
    return [...this.#fresh, ...this.#pages.flatMap(({ rows }) => rows ?? [])];
  }

  /** Reads what is missing to show the rows from `first` to `last`, and those below that come next. */
  async show(first: number, last: number): Promise<void> {
    this.#wanted = [first, last];
    if (this.#stopped) return;
    this.#reading ??= this.#fill().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #fill(): Promise<void> {
    try {
      this.#forgetFarAway();
      await this.#readForgotten();
      for (let pages = 0; !this.#stopped && this.hasMore && this.#lacksRows(); pages += 1) {
        // A search looks at a bounded number of tasks for each page; an empty page is no end.
        if (this.searchedUntil !== null && pages >= MOST_PAGES_OF_SEARCH) break;
        await this.#readNext();
        this.#forgetFarAway();
        this.#source.changed();
      }
    } catch (error) {
      this.error = error;
      this.#source.changed();
    }
  }

  #lacksRows(): boolean {
    const ahead = this.#pages.length > 1 ? READ_FURTHER_AHEAD : READ_AHEAD;
    return this.#wanted[1] + ahead >= this.length;
  }

  async #readNext(): Promise<void> {
    const cursor = this.#next ?? undefined;
    const page = await this.#source.read(cursor, cursor === undefined ? PAGE_ROWS : LATER_ROWS);
    const known = new Set([...this.#fresh, ...(this.#pages.at(-1)?.rows ?? [])].map(({ id }) => id));
    const rows = page.tasks.filter(({ id }) => !known.has(id));
    if (rows.length > 0) this.#pages.push({ cursor, length: rows.length, start: this.#pagedLength, rows });
    this.#next = page.nextCursor;
    this.total = page.total ?? this.total;
    this.searchedUntil = page.searchedUntil;
    this.error = undefined;
  }

  /** The pages with the rows on the screen and the ones that come next. */
  #pagesOnScreen(): [number, number] {
    const [first, last] = this.#wanted;
    const above = this.#fresh.length;
    return [this.#pageAt(first - above), this.#pageAt(last + READ_AHEAD - above)];
  }

  #forgetFarAway(): void {
    const [from, to] = this.#pagesOnScreen();
    for (const [index, page] of this.#pages.entries()) {
      if (index < from - KEPT_PAGES || index > to + KEPT_PAGES) page.rows = undefined;
    }
  }

  async #readForgotten(): Promise<void> {
    for (let missing = this.#forgotten(); missing !== undefined; missing = this.#forgotten()) {
      const { cursor, length } = missing;
      const { tasks } = await this.#source.read(cursor, cursor === undefined ? PAGE_ROWS : LATER_ROWS);
      if (this.#stopped) return;
      missing.rows = tasks.slice(0, length);
      this.#source.changed();
    }
  }

  /** A page that is on the screen by now and has no rows. */
  #forgotten(): LoadedPage | undefined {
    const [from, to] = this.#pagesOnScreen();
    return this.#pages.slice(from, to + 1).find(({ rows }) => rows === undefined);
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
