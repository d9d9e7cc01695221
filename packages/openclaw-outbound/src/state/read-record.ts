import type { z } from 'zod';

/** A record as it was written; undefined when it is something else, for example of a later version. */
export function readRecord<Value>(schema: z.ZodType<Value>, json: string | undefined): Value | undefined {
  if (json === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
