import { minimizeCosts } from './artifacts/minimize-costs.ts';
import { replyTime } from './artifacts/reply-time.ts';
import { takeMeasures } from './measures.ts';
import type { BenchOptions } from './options.ts';
import type { BenchResult } from './report/report.ts';

const FULL = { bytes: 100_000_000, artifacts: 1_000, rounds: 5 };
const QUICK = { bytes: 2_000_000, artifacts: 100, rounds: 3 };

/** The cost of shortening large artifacts for a model. */
export function artifacts({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const sizes = quick ? QUICK : FULL;
  const table = minimizeCosts('table', sizes);
  const text = minimizeCosts('text', sizes);
  return takeMeasures(
    'artifacts',
    [
      ['the time for a large table', table.time],
      ['the memory for a large table', table.memory],
      ['the time for a large text', text.time],
      ['the memory for a large text', text.memory],
      ['the time for a reply with many artifacts', () => replyTime(sizes)],
    ],
    progress,
  );
}
