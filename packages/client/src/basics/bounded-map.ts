/** How much a {@link BoundedMap} holds. */
export interface MapBounds<Value> {
  /** Maximum number of entries. */
  readonly entries: number;
  /** Maximum total weight; the newest entry stays, whatever it weighs. */
  readonly weight?: number;
  readonly weigh?: (value: Value) => number;
}

/** A map that forgets the least recently used entries, so that a process that runs for months does not grow. */
export class BoundedMap<Key, Value> {
  readonly #bounds: MapBounds<Value>;
  /** Least recently used first. */
  readonly #entries = new Map<Key, { value: Value; weight: number }>();
  #weight = 0;

  constructor(bounds: MapBounds<Value>) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    const weight = this.#bounds.weigh?.(value) ?? 0;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    this.#evict();
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }

  values(): Value[] {
    return Array.from(this.#entries.values(), ({ value }) => value);
  }

  #evict(): void {
    const { entries, weight = Infinity } = this.#bounds;
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= 1) return;
      if (this.#entries.size <= entries && this.#weight <= weight) return;
      this.delete(key);
    }
  }
}
