/** Always English, independent of the system's locale, because models read it. */
const THOUSANDS = new Intl.NumberFormat('en-US');

/** Formats a number with thousands separators. */
export function formatCount(count: number): string {
  return THOUSANDS.format(count);
}
