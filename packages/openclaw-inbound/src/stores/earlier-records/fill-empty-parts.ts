const EMPTY_TEXT = { kind: 'text', text: '' };

/** Lists of parts that are empty get an empty text: version 1 of this plugin closed artifacts so, and 1.0 wants a part. */
export function fillEmptyParts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fillEmptyParts);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => [
    name,
    name === 'parts' && Array.isArray(field) && field.length === 0 ? [EMPTY_TEXT] : fillEmptyParts(field),
  ]);
  return Object.fromEntries(fields);
}
