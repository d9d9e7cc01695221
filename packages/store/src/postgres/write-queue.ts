import type { Write } from './write.ts';

const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Writes on their way, and which of them may go together. Responsible for order: writes about the same thing are applied in
 * the order in which they were made, although groups are under way side by side (J2). No two writes of one group are about
 * the same thing, so that the database can make the changes of a group all at once.
 */
export class WriteQueue<Item extends { readonly write: Write }> {
  #waiting: Item[] = [];
  readonly #underWay = new Set<string>();

  get size(): number {
    return this.#waiting.length;
  }

  push(item: Item): void {
    this.#waiting.push(item);
  }

  /** Ahead of everything that waits. */
  pushFirst(items: readonly Item[]): void {
    this.#waiting.unshift(...items);
  }

  /** The next group of at most that many, maybe empty. What it is about stays reserved until `finish`. */
  take(maxWrites: number): Item[] {
    const group: Item[] = [];
    const left: Item[] = [];
    const spokenFor = new Set(this.#underWay);
    let characters = 0;
    for (const item of this.#waiting) {
      const subjects = subjectsOf(item.write);
      const hasRoom = group.length < maxWrites && characters < MAX_CHARACTERS;
      if (hasRoom && subjects.every((each) => !spokenFor.has(each))) {
        group.push(item);
        characters += charactersOf(item.write);
        for (const subject of subjects) this.#underWay.add(subject);
      } else {
        left.push(item);
      }
      // What was passed over also keeps its place before later writes about the same.
      for (const subject of subjects) spokenFor.add(subject);
    }
    this.#waiting = left;
    return group;
  }

  finish(group: readonly Item[]): void {
    for (const { write } of group) for (const subject of subjectsOf(write)) this.#underWay.delete(subject);
  }

  /** Takes out what fits the condition. */
  remove(condition: (item: Item) => boolean): Item[] {
    const removed = this.#waiting.filter(condition);
    if (removed.length > 0) this.#waiting = this.#waiting.filter((item) => !condition(item));
    return removed;
  }
}

/** What a write is about: a task, an idempotency key, a record, a holder. */
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
