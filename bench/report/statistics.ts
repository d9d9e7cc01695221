/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  const lower = Math.ceil(sorted.length / 2) - 1;
  return (at(sorted, lower) + at(sorted, upper)) / 2;
}

/** The value that a share of `fraction` of the ascending values does not exceed. */
export function percentile(ascending: ArrayLike<number>, fraction: number): number {
  return at(ascending, Math.max(0, Math.ceil(ascending.length * fraction) - 1));
}

/** The range of the values divided by their median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

function at(values: ArrayLike<number>, index: number): number {
  const value = values[index];
  if (value === undefined) throw new Error('Statistics need at least one measured value.');
  return value;
}
