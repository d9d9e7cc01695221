const SMALLEST_ROTATION = 512;

/**
 * A map for short-lived entries in a long-lived map.
 *
 * A `Map` that survives long enough moves to V8's old generation, and so does each table it allocates when deleted
 * entries have filled the previous one. Such a table keeps its former entries reachable until a full garbage
 * collection, even when the table itself is garbage, so short-lived objects are promoted too. This map replaces its
 * `Map` with a fresh one every so often, which costs each entry at most one extra copy.
 */
export class RotatingMap<Key, Value> {
  #entries = new Map<Key, Value>();
  #setsUntilRotation = SMALLEST_ROTATION;

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  set(key: Key, value: Value): void {
    if (--this.#setsUntilRotation === 0) this.#rotate();
    this.#entries.set(key, value);
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  /** A copy of the keys, which later changes do not affect. */
  keys(): Key[] {
    return [...this.#entries.keys()];
  }

  /** A copy of the values, which later changes do not affect. */
  values(): Value[] {
    return [...this.#entries.values()];
  }

  #rotate(): void {
    this.#entries = new Map(this.#entries);
    this.#setsUntilRotation = Math.max(SMALLEST_ROTATION, this.#entries.size);
  }
}
