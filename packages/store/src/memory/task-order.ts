import type { PageCursor } from '../port.ts';
import type { TaskRow } from './task-row.ts';
import { upperBound } from './upper-bound.ts';

/**
 * The tasks of one owner, oldest status first. A task is removed before its status changes and added again afterwards. The
 * tasks that change are mostly the newest, so both only touch the end of the list.
 */
export class TaskOrder {
  readonly #rows: TaskRow[] = [];

  add(row: TaskRow): void {
    this.#rows.splice(this.#indexAfter(positionOf(row)), 0, row);
  }

  remove(row: TaskRow): void {
    this.#rows.splice(this.#indexAfter(positionOf(row)) - 1, 1);
  }

  /** Newest first, starting just below the cursor or at the top. */
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

  #indexAfter(position: PageCursor): number {
    return upperBound(this.#rows, (row) => comparePositions(positionOf(row), position) > 0);
  }
}

export function positionOf(row: TaskRow): PageCursor {
  return { statusTime: row.header.statusTime, tieBreak: row.key };
}

/** Negative if the first position is the older one. */
export function comparePositions(one: PageCursor, other: PageCursor): number {
  return one.statusTime - other.statusTime || one.tieBreak - other.tieBreak;
}
