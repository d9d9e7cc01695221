import { z } from 'zod';

const MAX_INVALID_ITEMS = 20;

/**
 * The schema of a list in a request. Validation stops after several invalid items: a long list of them would take seconds to
 * validate and megabytes to describe.
 */
export function listOf<Item>(itemSchema: z.ZodType<Item>, { atLeast = 0 } = {}) {
  return z
    .array(z.unknown())
    .min(atLeast)
    .transform((values, context): Item[] => {
      const items: Item[] = [];
      let invalid = 0;
      for (const [index, value] of values.entries()) {
        const { success, data, error } = itemSchema.safeParse(value);
        if (success) {
          items.push(data);
          continue;
        }
        for (const issue of error.issues) {
          context.issues.push({
            ...issue,
            path: [index, ...issue.path],
            input: value,
          } as z.core.$ZodRawIssue);
        }
        invalid += 1;
        if (invalid === MAX_INVALID_ITEMS) break;
      }
      return items;
    });
}
