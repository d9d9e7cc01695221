import { recordRange } from '../pages.ts';
import type { RecordEntry, RecordPage } from '../port.ts';
import { compareText } from './compare-text.ts';
import { upperBound } from './upper-bound.ts';

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
  #sorted: string[] | undefined;

  put(key: string, value: string): void {
    if (this.#sorted && !this.values.has(key)) this.#sorted.splice(indexAfter(this.#sorted, key), 0, key);
    this.values.set(key, value);
  }

  delete(key: string): boolean {
    if (!this.values.delete(key)) return false;
    this.#sorted?.splice(indexAfter(this.#sorted, key) - 1, 1);
    return true;
  }

  list(prefix?: string, page?: RecordPage): RecordEntry[] {
    this.#sorted ??= [...this.values.keys()].toSorted(compareText);
    const { lower, lowerOperator, upper, upperOperator, order } = recordRange(prefix, page);
    const from = lowerOperator === '>' ? indexAfter(this.#sorted, lower) : indexOf(this.#sorted, lower);
    const until = upperOperator === '<' ? indexOf(this.#sorted, upper) : indexAfter(this.#sorted, upper);
    const limit = page?.limit ?? Infinity;
    const keys =
      order === 'ASC'
        ? this.#sorted.slice(from, Math.min(until, from + limit))
        : this.#sorted.slice(Math.max(from, until - limit), until).toReversed();
    return keys.map((key) => ({ key, value: this.values.get(key) ?? '' }));
  }
}

function indexOf(sorted: readonly string[], key: string): number {
  return upperBound(sorted, (candidate) => compareText(candidate, key) >= 0);
}

function indexAfter(sorted: readonly string[], key: string): number {
  return upperBound(sorted, (candidate) => compareText(candidate, key) > 0);
}
