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
