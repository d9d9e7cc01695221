/** Always English, whatever the language of the machine: models read it. */
const THOUSANDS = new Intl.NumberFormat('en-US');

/** With commas between groups of thousands. */
export function formatCount(count: number): string {
  return THOUSANDS.format(count);
}
