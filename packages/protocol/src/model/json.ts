import { z } from 'zod';

/** A JSON object whose content belongs to somebody else: metadata, structured data. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads fields of what should be an object. Another value has no fields, and the schema says later what is missing. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
