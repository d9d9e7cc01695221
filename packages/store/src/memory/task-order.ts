import type { PageCursor } from '../port.ts';
import type { TaskRow } from './task-row.ts';
import { upperBound } from './upper-bound.ts';

/**
 * The tasks of one owner, oldest status first. A task that changes its status is taken out before and put in after. Tasks
 * that change are mostly the newest, so both touch the end of the list alone.
 */
export class TaskOrder {
  readonly #rows: TaskRow[] = [];

  add(row: TaskRow): void {
    this.#rows.splice(this.#indexAfter(placeOf(row)), 0, row);
  }

  remove(row: TaskRow): void {
    this.#rows.splice(this.#indexAfter(placeOf(row)) - 1, 1);
  }

  /** Newest first, from just below the cursor or from the top. */
  *below(cursor: PageCursor | undefined): Generator<TaskRow> {
    const from =
      cursor === undefined
        ? this.#rows.length
        : this.#indexAfter({ statusTime: cursor.statusTime, tieBreak: cursor.tieBreak - 1 });
    for (let index = from - 1; index >= 0; index -= 1) {
      const row = this.#rows[index];
      if (row !== undefined) yield row;
    }
  }

  count(matches: (row: TaskRow) => boolean): number {
    return this.#rows.reduce((count, row) => (matches(row) ? count + 1 : count), 0);
  }

  #indexAfter(place: PageCursor): number {
    return upperBound(this.#rows, (row) => comparePlaces(placeOf(row), place) > 0);
  }
}

export function placeOf(row: TaskRow): PageCursor {
  return { statusTime: row.header.statusTime, tieBreak: row.key };
}

/** Negative when the first place is the older one. */
export function comparePlaces(one: PageCursor, other: PageCursor): number {
  return one.statusTime - other.statusTime || one.tieBreak - other.tieBreak;
}
