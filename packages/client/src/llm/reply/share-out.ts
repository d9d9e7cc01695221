export interface Demand {
  readonly least: number;
  /** May be Infinity. */
  readonly wanted: number;
}

/**
 * Shares room out: nobody gets less than the least or more than wanted, and whoever gets less than wanted gets as much as
 * the others who do. The sum of the least must be within the room.
 */
export function shareOut(room: number, demands: readonly Demand[]): number[] {
  const sharesAt = (level: number): number[] =>
    demands.map(({ least, wanted }) => Math.max(least, Math.min(wanted, level)));
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
