import { z } from 'zod';

export type Parsed<Output> =
  { readonly success: true; readonly data: Output } | { readonly success: false; readonly error: z.ZodError };

/**
 * What a schema says of a value from outside; unlike the schema's own `safeParse` it never throws.
 *
 * A limit on the length of a text or a list is compared with whatever is called `length`, also where neither was found. An
 * object can be made whose length cannot be compared with anything: `{"length": {"toString": 1}}`.
 */
export function safeParse<Output>(schema: z.ZodType<Output>, value: unknown): Parsed<Output> {
  try {
    return schema.safeParse(value);
  } catch {
    const message = 'expected texts and lists where they belong';
    return { success: false, error: new z.ZodError([{ code: 'custom', path: [], message, input: value }]) };
  }
}
