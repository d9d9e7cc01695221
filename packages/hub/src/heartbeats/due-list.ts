import type { Store } from '@holdword/store';
import { splitTimeKey, timeKey } from '../wire/times.ts';

export interface DueEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly name: string;
}

/** A time-ordered queue in the store. Adding an entry and reading the first take constant time. */
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

  /** Entries that are due at `now`, oldest first. */
  async due(now: number, limit: number): Promise<(DueEntry & { value: string })[]> {
    const records = await this.#store.listRecords(this.#namespace, undefined, { limit });
    return records.map(({ key, value }) => ({ ...entryOf(key), value })).filter(({ at }) => at <= now);
  }
}

function keyOf({ at, name }: DueEntry): string {
  return `${timeKey(at)}/${name}`;
}

function entryOf(key: string): DueEntry {
  const { time, rest } = splitTimeKey(key);
  return { at: time, name: rest };
}
