import type { JsonObject } from '@holdword/protocol';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject {
  if (!isObject(value)) {
    throw new Error(`Expected a JSON object, received ${JSON.stringify(value)}`);
  }
  return value;
}

/** Converts each element; anything but an array is returned unchanged, so that a malformed request stays malformed. */
export function mapArray(value: unknown, convert: (element: JsonObject) => JsonObject): unknown {
  return Array.isArray(value) ? value.map((element) => convert(asObject(element))) : value;
}

/** A value in a path or a query: strings unchanged, anything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The object without undefined fields. */
export function compact(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}
