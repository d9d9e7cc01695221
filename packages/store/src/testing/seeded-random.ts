/** Random numbers that are the same on every run. */
export interface SeededRandom {
  /** From 0 up to, not including, `bound`. */
  below(bound: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

export function seededRandom(seed: number): SeededRandom {
  // A xorshift generator: small, and good enough to vary test cases.
  let state = seed | 1;
  function below(bound: number): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  }
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
}
