/** Records by namespace and key. */
export class RecordTable {
  readonly #namespaces = new Map<string, Map<string, string>>();

  get(namespace: string, key: string): string | undefined {
    return this.#namespaces.get(namespace)?.get(key);
  }

  put(namespace: string, key: string, value: string): void {
    let records = this.#namespaces.get(namespace);
    if (records === undefined) this.#namespaces.set(namespace, (records = new Map<string, string>()));
    records.set(key, value);
  }

  /** Puts the value if the record still is as expected. */
  replace(namespace: string, key: string, expected: string | undefined, value: string): boolean {
    if (this.get(namespace, key) !== expected) return false;
    this.put(namespace, key, value);
    return true;
  }

  delete(namespace: string, key: string): boolean {
    return this.#namespaces.get(namespace)?.delete(key) ?? false;
  }

  /** Sorted by key. */
  list(namespace: string, prefix = ''): { key: string; value: string }[] {
    return [...(this.#namespaces.get(namespace) ?? [])]
      .flatMap(([key, value]) => (key.startsWith(prefix) ? [{ key, value }] : []))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  }

  /** All records, for writing them down. */
  entries(): [namespace: string, key: string, value: string][] {
    return [...this.#namespaces].flatMap(([namespace, records]) =>
      [...records].map(([key, value]): [string, string, string] => [namespace, key, value]),
    );
  }

  copy(): RecordTable {
    const copy = new RecordTable();
    for (const [namespace, key, value] of this.entries()) copy.put(namespace, key, value);
    return copy;
  }
}
