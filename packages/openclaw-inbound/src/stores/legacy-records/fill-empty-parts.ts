const EMPTY_TEXT = { kind: 'text', text: '' };

/** Replaces empty part lists by an empty text: the legacy plugin closed artifacts that way, and A2A 1.0 requires a part. */
export function fillEmptyParts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fillEmptyParts);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => [
    name,
    name === 'parts' && Array.isArray(field) && field.length === 0 ? [EMPTY_TEXT] : fillEmptyParts(field),
  ]);
  return Object.fromEntries(fields);
}
