/** Type names of JSON values in summaries. */
export type ValueType = 'null' | 'bool' | 'int' | 'float' | 'string' | 'list' | 'object';

/** Values that JSON cannot represent are written as null, so they count as null. */
export function typeOfValue(value: unknown): ValueType {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return 'int';
    return Number.isFinite(value) ? 'float' : 'null';
  }
  if (typeof value !== 'object' || value === null) return 'null';
  return Array.isArray(value) ? 'list' : 'object';
}
