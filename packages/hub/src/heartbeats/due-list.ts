import type { Store } from '@holdword/store';

export interface DueEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly name: string;
}

/** Digits of a time in milliseconds, so that keys sort as times do. */
const TIME_DIGITS = 15;

/** What is due and when, in the store: adding an entry and taking the first costs the same however many there are. */
export class DueList {
  readonly #store: Store;
  readonly #namespace: string;

  constructor(store: Store, namespace: string) {
    this.#store = store;
    this.#namespace = namespace;
  }

  async add(entry: DueEntry, value = ''): Promise<void> {
    await this.#store.putRecord(this.#namespace, keyOf(entry), value);
  }

  async remove(entry: DueEntry): Promise<void> {
    await this.#store.deleteRecord(this.#namespace, keyOf(entry));
  }

  /** Those that are due at `now` or were before, the oldest first. */
  async due(now: number, limit: number): Promise<(DueEntry & { value: string })[]> {
    const records = await this.#store.listRecords(this.#namespace, undefined, { limit });
    return records.map(({ key, value }) => ({ ...entryOf(key), value })).filter(({ at }) => at <= now);
  }
}

function keyOf({ at, name }: DueEntry): string {
  return `${String(at).padStart(TIME_DIGITS, '0')}/${name}`;
}

function entryOf(key: string): DueEntry {
  return { at: Number(key.slice(0, TIME_DIGITS)), name: key.slice(TIME_DIGITS + 1) };
}
