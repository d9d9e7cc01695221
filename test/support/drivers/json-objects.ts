import type { JsonObject } from '@holdword/protocol';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject {
  if (!isObject(value)) {
    throw new Error(`Expected a JSON object, found ${JSON.stringify(value)}`);
  }
  return value;
}

/** Converts each element; what is no array stays as it is, so that a malformed request stays malformed. */
export function mapArray(value: unknown, convert: (element: JsonObject) => JsonObject): unknown {
  return Array.isArray(value) ? value.map((element) => convert(asObject(element))) : value;
}

/** A value as it stands in a path or a query: text as it is, anything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Without the fields that are undefined. */
export function compact(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}
