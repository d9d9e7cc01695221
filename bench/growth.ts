import { eventCost } from './growth/event-cost.ts';
import type { GrowthMeasure, GrowthSizes } from './growth/growth-measure.ts';
import { listPageCost } from './growth/list-page-cost.ts';
import { resumeCost } from './growth/resume-cost.ts';
import { subscriberCost } from './growth/subscriber-cost.ts';
import type { BenchOptions } from './options.ts';
import { PARLEY } from './peers/peer.ts';
import type { BenchResult } from './report/report.ts';
import { formatNumber, formatTable } from './report/table.ts';

const FULL: GrowthSizes = { events: 50_000, tasks: 200_000, subscribers: 2_000, samples: 200 };
const QUICK: GrowthSizes = { events: 5_000, tasks: 5_000, subscribers: 200, samples: 20 };

const MEASURES: readonly [string, (dataFolder: string, sizes: GrowthSizes) => Promise<GrowthMeasure>][] = [
  ['the cost of one more event', eventCost],
  ['the cost of resuming', resumeCost],
  ['the cost of idle subscribers', subscriberCost],
  ['the cost of a page of tasks', listPageCost],
];

/** What parley's work costs as journals, subscribers and the number of tasks grow. */
export async function growth(options: BenchOptions): Promise<BenchResult> {
  const measures: GrowthMeasure[] = [];
  for (const [name, measure] of MEASURES) {
    options.progress(`measuring ${name}`);
    measures.push(await measure(options.dataFolder, options.quick ? QUICK : FULL));
  }
  const figures: Record<string, number> = Object.assign({}, ...measures.map((measure) => measure.figures));
  const rows = Object.entries(figures).map(([name, value]) => [name, formatNumber(value)]);
  return {
    report: {
      bench: 'growth',
      peers: { [PARLEY.name]: figures },
      ratios: {},
      targets: measures.map((measure) => measure.target),
    },
    tables: [formatTable(['figure', 'measured'], rows)],
  };
}
