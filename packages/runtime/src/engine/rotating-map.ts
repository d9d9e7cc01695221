const SMALLEST_ROTATION = 512;

/**
 * A map for entries that come and go quickly, while the map itself lives as long as the process.
 *
 * A `Map` that has lived for some time is in V8's old generation, and so is each table it makes when the marks of deleted
 * entries have filled the last one. Such a table keeps what it once held until the whole heap is looked through, even when
 * it is garbage itself: young objects grow old by it. This one begins with a young `Map` every so often. It costs each
 * entry at most one more copy.
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

  /** The keys of now, whatever becomes of the map while they are gone through. */
  keys(): Key[] {
    return [...this.#entries.keys()];
  }

  /** The values of now, whatever becomes of the map while they are gone through. */
  values(): Value[] {
    return [...this.#entries.values()];
  }

  #rotate(): void {
    this.#entries = new Map(this.#entries);
    this.#setsUntilRotation = Math.max(SMALLEST_ROTATION, this.#entries.size);
  }
}
