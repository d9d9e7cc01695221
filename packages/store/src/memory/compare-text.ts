const FIRST_SURROGATE = 0xd800;
const FIRST_AFTER_SURROGATES = 0xe000;
const SURROGATES = FIRST_AFTER_SURROGATES - FIRST_SURROGATE;
const LAST_UNIT = 0xffff;

/**
 * Orders texts by their characters' numbers, as databases order their bytes. JavaScript's own order is that of UTF-16, which
 * puts characters beyond the first 65,536 before some of these.
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

/** Half of a character beyond the first 65,536 comes after all whole ones. */
function rankOf(unit: number): number {
  if (unit < FIRST_SURROGATE) return unit;
  return unit < FIRST_AFTER_SURROGATES ? unit + LAST_UNIT : unit - SURROGATES;
}
