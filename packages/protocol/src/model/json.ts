import { z } from 'zod';

/** A JSON object with arbitrary content: metadata, structured data. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());
/** A JSON object with arbitrary content. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, otherwise an object without fields: the schema then reports what is missing. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
