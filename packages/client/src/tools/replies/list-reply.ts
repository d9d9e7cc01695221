import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import { fitIntoBudget } from '../../llm/reply/fit-into-budget.ts';
import { fits, largestForm, once, type Fittable } from '../../llm/reply/fittable.ts';
import type { ToolContext, ToolResult } from '../tool.ts';

/** A reply that is mostly a list: as many of its items as the budget allows, and how many were left out at the end. */
export function listReply(
  context: ToolContext,
  head: ToolResult,
  name: string,
  items: readonly unknown[],
): ToolResult {
  const some = (amount: number): ToolResult => ({
    ...head,
    [name]: items.slice(0, amount),
    ...(amount < items.length && { [`_omitted_${name}`]: items.length - amount }),
  });
  const full = once(() => some(items.length));
  const shortest = some(0);
  const pieces: Fittable<ToolResult> = {
    full,
    least: compactJsonLength(shortest),
    wanted: once(() => compactJsonLength(full())),
    fit: (length) => (fits(full(), length) ? full() : (largestForm(items.length, length, some) ?? shortest)),
  };
  return fitIntoBudget(pieces, context);
}
