import type { EventPage, JournalEvent } from '../../api/task.ts';

const CHUNK = 100;
/** Events that are kept; what is scrolled to again is read again. */
const MOST_EVENTS = 20_000;

/**
 * Events of one journal by sequence number. Sequence numbers have no holes (J2), so that a row of a list is a sequence number and
 * any part of a long journal is one request away.
 */
export class EventCache {
  #events = new Map<number, JournalEvent>();
  #loading = new Set<number>();
  readonly #read: (after: number, limit: number) => Promise<EventPage>;
  readonly #changed: () => void;

  constructor(read: (after: number, limit: number) => Promise<EventPage>, changed: () => void) {
    this.#read = read;
    this.#changed = changed;
  }

  get(sequence: number): JournalEvent | undefined {
    return this.#events.get(sequence);
  }

  add(event: JournalEvent): void {
    this.#events.set(event.sequence, event);
    if (this.#events.size <= MOST_EVENTS) return;
    // The oldest addition, which is the one nobody has looked at for the longest.
    for (const sequence of this.#events.keys()) {
      this.#events.delete(sequence);
      break;
    }
  }

  /** Reads what is missing between two sequence numbers. */
  need(first: number, last: number): void {
    for (let chunk = Math.floor(Math.max(0, first - 1) / CHUNK); chunk * CHUNK < last; chunk += 1) {
      const [from, to] = [Math.max(first, chunk * CHUNK + 1), Math.min(last, (chunk + 1) * CHUNK)];
      if (!this.#loading.has(chunk) && this.#isMissing(from, to)) void this.#load(chunk, from, to);
    }
  }

  #isMissing(from: number, to: number): boolean {
    for (let sequence = from; sequence <= to; sequence += 1) if (!this.#events.has(sequence)) return true;
    return false;
  }

  async #load(chunk: number, from: number, to: number): Promise<void> {
    this.#loading.add(chunk);
    try {
      let after = from - 1;
      // A page with large events has fewer of them.
      while (after < to) {
        const { events } = await this.#read(after, to - after);
        for (const event of events) this.add(event);
        const last = events.at(-1)?.sequence;
        if (last === undefined) break;
        after = last;
        this.#changed();
      }
    } catch {
      // The line on top of the page says that the server is away; the rows are asked for again when it is scrolled.
    } finally {
      this.#loading.delete(chunk);
    }
  }
}
