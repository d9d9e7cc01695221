const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A size in the largest fitting unit, for people. */
export function renderBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}
