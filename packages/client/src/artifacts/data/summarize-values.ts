import { SlotPool } from './unique-counter.ts';
import { ValueSummary, type ValuesSummary } from './value-summary.ts';

/** Together 4 MiB of fingerprints, however many columns share them. */
export const FINGERPRINT_SLOTS = 2 ** 19;

/** What a list of values holds; the list itself where that is shorter. */
export function summarizeValues(values: readonly unknown[]): ValuesSummary | readonly unknown[] {
  const summary = new ValueSummary(new SlotPool(FINGERPRINT_SLOTS));
  for (const value of values) summary.add(value);
  const summarized = summary.summary();
  return values.length > 0 && summary.valuesIfShorter(summarized) !== undefined ? values : summarized;
}
