import { z } from 'zod';

const MOST_WRONG_ITEMS = 20;

/**
 * A list in a request. Its items are checked one by one until some of them are wrong: a long list of wrong items would take
 * seconds to look through, and an answer of many megabytes to describe.
 */
export function listOf<Item>(itemSchema: z.ZodType<Item>, { atLeast = 0 } = {}) {
  return z
    .array(z.unknown())
    .min(atLeast)
    .transform((values, context): Item[] => {
      const items: Item[] = [];
      let wrong = 0;
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
        wrong += 1;
        if (wrong === MOST_WRONG_ITEMS) break;
      }
      return items;
    });
}
