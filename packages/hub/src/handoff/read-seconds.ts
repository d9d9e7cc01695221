import type { JsonObject } from '@holdword/protocol';
import { invalidParameter } from '../wire/hub-error.ts';

/** Reads an optional duration and checks its limits. */
export function readSeconds(
  params: JsonObject,
  field: string,
  { min, max, default: fallback }: { min: number; max: number; default: number },
): number {
  const value = params[field];
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'number' || !(value >= min && value <= max))
    throw invalidParameter(field, `a number of seconds from ${min} to ${max}`, value);
  return value;
}
