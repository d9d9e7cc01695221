import { z } from 'zod';

export type Parsed<Output> =
  { readonly success: true; readonly data: Output } | { readonly success: false; readonly error: z.ZodError };

/**
 * Validates an untrusted value; unlike the schema's own `safeParse` it never throws.
 *
 * Zod compares a length limit with any property called `length`, even if the value is neither a string nor an array. An object
 * can be crafted whose length cannot be compared: `{"length": {"toString": 1}}`.
 */
export function safeParse<Output>(schema: z.ZodType<Output>, value: unknown): Parsed<Output> {
  try {
    return schema.safeParse(value);
  } catch {
    const message = 'expected strings and arrays, found an object with an invalid length';
    return { success: false, error: new z.ZodError([{ code: 'custom', path: [], message, input: value }]) };
  }
}
