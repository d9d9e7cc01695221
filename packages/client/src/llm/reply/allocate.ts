export interface Demand {
  readonly minLength: number;
  /** Can be Infinity. */
  readonly fullLength: number;
}

/**
 * Divides room among demands: each gets between its minimum and its full length, and all that get less than their full
 * length get the same, unless their minimum is higher. The sum of the minimums must fit.
 */
export function allocate(room: number, demands: readonly Demand[]): number[] {
  const sharesAt = (level: number): number[] =>
    demands.map(({ minLength, fullLength }) => Math.max(minLength, Math.min(fullLength, level)));
  let low = 0;
  let high = room;
  while (low < high) {
    const level = Math.ceil((low + high) / 2);
    if (sum(sharesAt(level)) <= room) low = level;
    else high = level - 1;
  }
  return sharesAt(low);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
