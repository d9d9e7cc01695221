import { SlotPool } from './unique-counter.ts';
import { ValueSummary, type ValuesSummary } from './value-summary.ts';

/** What a list of values holds; the list itself where that is shorter. */
export function summarizeValues(values: readonly unknown[]): ValuesSummary | readonly unknown[] {
  const summary = new ValueSummary(SlotPool.forValues(values.length));
  for (const value of values) summary.add(value);
  const summarized = summary.summary();
  return values.length > 0 && summary.valuesIfShorter(summarized) !== undefined ? values : summarized;
}
