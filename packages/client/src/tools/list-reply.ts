import { compactJsonLength } from '../artifacts/json-length.ts';
import { fitIntoBudget, fits, type Fittable, largestForm, lazy } from '../llm/fittable.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** Fits a list into the budget: as many items as fit, and the number of omitted ones. */
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
  const full = lazy(() => some(items.length));
  const shortest = some(0);
  const pieces: Fittable<ToolResult> = {
    full,
    minLength: compactJsonLength(shortest),
    fullLength: lazy(() => compactJsonLength(full())),
    fit: (length) => (fits(full(), length) ? full() : (largestForm(items.length, length, some) ?? shortest)),
  };
  return fitIntoBudget(pieces, context);
}
