/** The types of JSON values as summaries name them. */
export type ValueType = 'null' | 'bool' | 'int' | 'float' | 'string' | 'list' | 'object';

/** What JSON cannot hold, it writes as null, and so it counts as one. */
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
