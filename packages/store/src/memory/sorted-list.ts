/** Items in order, found by binary search. Most are added at the end, where adding costs least. */
export class SortedList<Item> {
  readonly #compare: (one: Item, other: Item) => number;
  readonly #items: Item[];

  constructor(compare: (one: Item, other: Item) => number, items: Iterable<Item> = []) {
    this.#compare = compare;
    this.#items = [...items].toSorted(compare);
  }

  get length(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    const index = this.#indexAfter(item);
    if (index === this.#items.length) this.#items.push(item);
    else this.#items.splice(index, 0, item);
  }

  /** Removes an item that is in the list. It must compare as it did when it was added. */
  remove(item: Item): void {
    this.#items.splice(this.#indexAfter(item) - 1, 1);
  }

  /** The index of the first item for which `comesAfter` is true. */
  indexWhere(comesAfter: (item: Item) => boolean): number {
    return upperBound(this.#items, comesAfter);
  }

  slice(from: number, until: number): Item[] {
    return this.#items.slice(from, until);
  }

  /** The items from an index on, in order. */
  *from(index: number): Generator<Item> {
    for (let next = index; next < this.#items.length; next += 1) yield this.#items[next] as Item;
  }

  /** The items before an index, the last one first. */
  *before(index: number): Generator<Item> {
    for (let next = index - 1; next >= 0; next -= 1) yield this.#items[next] as Item;
  }

  #indexAfter(item: Item): number {
    return upperBound(this.#items, (candidate) => this.#compare(candidate, item) > 0);
  }
}

/** The index of the first item for which `comesAfter` is true, by binary search in sorted items. */
export function upperBound<Item>(items: readonly Item[], comesAfter: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && comesAfter(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const FIRST_SURROGATE = 0xd800;
const FIRST_AFTER_SURROGATES = 0xe000;
const SURROGATES = FIRST_AFTER_SURROGATES - FIRST_SURROGATE;
const LAST_UNIT = 0xffff;

/**
 * Compares texts by code point, which is how databases order their UTF-8 bytes. JavaScript compares UTF-16 code units, which
 * puts code points above U+FFFF before some of those below.
 */
export function compareText(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  for (let index = 0; index < shorter; index += 1) {
    const unit = one.charCodeAt(index);
    const otherUnit = other.charCodeAt(index);
    if (unit !== otherUnit) return rankOf(unit) - rankOf(otherUnit);
  }
  return one.length - other.length;
}

/** A surrogate sorts after all other code units. */
function rankOf(unit: number): number {
  if (unit < FIRST_SURROGATE) return unit;
  return unit < FIRST_AFTER_SURROGATES ? unit + LAST_UNIT : unit - SURROGATES;
}
