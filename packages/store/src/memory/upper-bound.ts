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
