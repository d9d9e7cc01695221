import type { JsonObject } from '@holdword/protocol';
import { invalidParameter } from './handoff-errors.ts';

/** A duration that a request may choose within limits. */
export function readSeconds(
  params: JsonObject,
  field: string,
  { least, most, usual }: { least: number; most: number; usual: number },
): number {
  const value = params[field];
  if (value === undefined || value === null) return usual;
  if (typeof value !== 'number' || !(value >= least && value <= most))
    throw invalidParameter(field, `a number of seconds from ${least} to ${most}`);
  return value;
}
