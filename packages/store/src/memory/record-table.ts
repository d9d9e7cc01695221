import { recordRange } from '../pages.ts';
import type { RecordEntry, RecordPage } from '../port.ts';
import { compareText, SortedList } from './sorted-list.ts';

/** Records by namespace and key. */
export class RecordTable {
  readonly #namespaces = new Map<string, Namespace>();

  get(namespace: string, key: string): string | undefined {
    return this.#namespaces.get(namespace)?.values.get(key);
  }

  put(namespace: string, key: string, value: string): void {
    let records = this.#namespaces.get(namespace);
    if (records === undefined) this.#namespaces.set(namespace, (records = new Namespace()));
    records.put(key, value);
  }

  /** Puts the value if the record still has the expected value. */
  replace(namespace: string, key: string, expected: string | undefined, value: string): boolean {
    if (this.get(namespace, key) !== expected) return false;
    this.put(namespace, key, value);
    return true;
  }

  /** Deletes the record; with `expected` only if it still has that value. */
  delete(namespace: string, key: string, expected?: string): boolean {
    if (expected !== undefined && this.get(namespace, key) !== expected) return false;
    return this.#namespaces.get(namespace)?.delete(key) ?? false;
  }

  /** Sorted by key. */
  list(namespace: string, prefix?: string, page?: RecordPage): RecordEntry[] {
    return this.#namespaces.get(namespace)?.list(prefix, page) ?? [];
  }

  /** All records, for saving them. */
  entries(): [namespace: string, key: string, value: string][] {
    return [...this.#namespaces].flatMap(([namespace, { values }]) =>
      [...values].map(([key, value]): [string, string, string] => [namespace, key, value]),
    );
  }

  copy(): RecordTable {
    const copy = new RecordTable();
    for (const [namespace, key, value] of this.entries()) copy.put(namespace, key, value);
    return copy;
  }
}

/** The records of one namespace. Its keys are sorted when they are first listed, and kept sorted from then on. */
class Namespace {
  readonly values = new Map<string, string>();
  #sorted: SortedList<string> | undefined;

  put(key: string, value: string): void {
    if (!this.values.has(key)) this.#sorted?.add(key);
    this.values.set(key, value);
  }

  delete(key: string): boolean {
    if (!this.values.delete(key)) return false;
    this.#sorted?.remove(key);
    return true;
  }

  list(prefix?: string, page?: RecordPage): RecordEntry[] {
    const sorted = (this.#sorted ??= new SortedList(compareText, this.values.keys()));
    const { lower, lowerOperator, upper, upperOperator, order } = recordRange(prefix, page);
    const from = sorted.indexWhere((key) => compareText(key, lower) >= (lowerOperator === '>' ? 1 : 0));
    const until = sorted.indexWhere((key) => compareText(key, upper) >= (upperOperator === '<' ? 0 : 1));
    const limit = page?.limit ?? Infinity;
    const keys =
      order === 'ASC'
        ? sorted.slice(from, Math.min(until, from + limit))
        : sorted.slice(Math.max(from, until - limit), until).toReversed();
    return keys.map((key) => ({ key, value: this.values.get(key) ?? '' }));
  }
}
