import { SlotPool } from './unique-counter.ts';
import { ValueSummary, type ValuesSummary } from './value-summary.ts';

/** Summarizes a list of values; returns the list itself if it is shorter. */
export function summarizeValues(values: readonly unknown[]): ValuesSummary | readonly unknown[] {
  const summary = new ValueSummary(SlotPool.forValues(values.length));
  for (const value of values) summary.add(value);
  const summarized = summary.summary();
  return values.length > 0 && summary.valuesIfShorter(summarized) !== undefined ? values : summarized;
}
