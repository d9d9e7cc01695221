import { HOLDWORD } from './peers/peer.ts';
import type { BenchResult } from './report/report.ts';
import { formatNumber, formatTable } from './report/table.ts';
import type { Target } from './report/target.ts';

/** Measured figures and their target. */
export interface Measure {
  readonly figures: Readonly<Record<string, number>>;
  readonly target: Target;
}

/** A measurement with its subject. */
export type NamedMeasure = readonly [name: string, measure: () => Promise<Measure>];

/** Runs measurements of holdword one after another and reports all of them. */
export async function takeMeasures(
  bench: string,
  measures: readonly NamedMeasure[],
  progress: (line: string) => void,
): Promise<BenchResult> {
  const taken: Measure[] = [];
  for (const [name, measure] of measures) {
    progress(`measuring ${name}`);
    taken.push(await measure());
  }
  const figures: Record<string, number> = Object.assign({}, ...taken.map((measure) => measure.figures));
  const rows = Object.entries(figures).map(([name, value]) => [name, formatNumber(value)]);
  return {
    report: {
      bench,
      peers: { [HOLDWORD.name]: figures },
      ratios: {},
      targets: taken.map((measure) => measure.target),
    },
    tables: [formatTable(['figure', 'measured'], rows)],
  };
}
