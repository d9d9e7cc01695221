import type { Write } from './write.ts';

const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Queues writes and forms groups. Responsible for order: writes with a common subject are applied in the order in which they
 * were made, although groups run concurrently (J2). No two writes of a group have a subject in common, so that the database
 * can apply the changes of a group all at once.
 */
export class WriteQueue<Item extends { readonly write: Write }> {
  #waiting: Item[] = [];
  readonly #inFlight = new Set<string>();

  get size(): number {
    return this.#waiting.length;
  }

  push(item: Item): void {
    this.#waiting.push(item);
  }

  /** Puts items ahead of all waiting ones. */
  pushFirst(items: readonly Item[]): void {
    this.#waiting.unshift(...items);
  }

  /** The next group of at most `maxWrites`, possibly empty. Its subjects stay reserved until `finish`. */
  take(maxWrites: number): Item[] {
    const group: Item[] = [];
    const left: Item[] = [];
    const reserved = new Set(this.#inFlight);
    let characters = 0;
    for (const item of this.#waiting) {
      const subjects = subjectsOf(item.write);
      const hasRoom = group.length < maxWrites && characters < MAX_CHARACTERS;
      if (hasRoom && subjects.every((each) => !reserved.has(each))) {
        group.push(item);
        characters += charactersOf(item.write);
        for (const subject of subjects) this.#inFlight.add(subject);
      } else {
        left.push(item);
      }
      // A skipped write also blocks later writes with the same subject.
      for (const subject of subjects) reserved.add(subject);
    }
    this.#waiting = left;
    return group;
  }

  finish(group: readonly Item[]): void {
    for (const { write } of group) for (const subject of subjectsOf(write)) this.#inFlight.delete(subject);
  }

  /** Removes and returns the waiting items that match. */
  remove(condition: (item: Item) => boolean): Item[] {
    const removed = this.#waiting.filter(condition);
    if (removed.length > 0) this.#waiting = this.#waiting.filter((item) => !condition(item));
    return removed;
  }
}

/** What a write changes: a task, an idempotency key, a record or a holder. */
function subjectsOf(write: Write): string[] {
  switch (write.kind) {
    case 'create-task':
    case 'append':
      return write.key === undefined
        ? [`task ${write.task_id}`]
        : [`task ${write.task_id}`, `key ${write.owner} ${write.key}`];
    case 'write-snapshot':
    case 'acquire-lease':
    case 'release-lease':
    case 'delete-task':
    case 'trim-journal':
      return [`task ${write.task_id}`];
    case 'heartbeat':
      return [`holder ${write.holder}`];
    case 'put-record':
    case 'replace-record':
    case 'delete-record':
    default:
      return [`record ${write.namespace} ${write.key}`];
  }
}

function charactersOf(write: Write): number {
  if ('rows' in write) return write.rows.reduce((sum, row) => sum + row.lines.length, 0);
  return 'value' in write ? write.value.length : 0;
}
