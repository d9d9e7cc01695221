import type { z } from 'zod';

/** Parses a stored record; undefined if it does not match, for example because a later version wrote it. */
export function readRecord<Value>(schema: z.ZodType<Value>, json: string | undefined): Value | undefined {
  if (json === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
