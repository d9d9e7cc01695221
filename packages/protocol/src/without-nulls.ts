import { PART_CONTENT_FIELDS } from './model/part.ts';

/** Fields with arbitrary content, in which null is a value. */
const FOREIGN_FIELDS: ReadonlySet<string> = new Set(['metadata', 'data']);

/**
 * Removes fields that are null, which in ProtoJSON is the same as omitting them. Returns the value itself if there is nothing
 * to remove.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    const cleaned = value.map(withoutNulls);
    return cleaned.some((element, index) => element !== value[index]) ? cleaned : value;
  }
  if (typeof value !== 'object' || value === null) return value;

  let changed = false;
  const kept: [string, unknown][] = [];
  for (const [field, fieldValue] of Object.entries(value)) {
    if (fieldValue === null && !isNullContent(field, value)) {
      changed = true;
      continue;
    }
    const cleaned = FOREIGN_FIELDS.has(field) ? fieldValue : withoutNulls(fieldValue);
    if (cleaned !== fieldValue) changed = true;
    kept.push([field, cleaned]);
  }
  return changed ? Object.fromEntries(kept) : value;
}

/** A data part may contain null; next to other content a null `data` is an omitted field. */
function isNullContent(field: string, part: object): boolean {
  return (
    field === 'data' &&
    PART_CONTENT_FIELDS.every(
      (name) => name === 'data' || !(name in part) || Reflect.get(part, name) === null,
    )
  );
}
