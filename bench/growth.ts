import { eventCost } from './growth/event-cost.ts';
import type { GrowthSizes } from './growth/growth-sizes.ts';
import { listPageCost } from './growth/list-page-cost.ts';
import { resumeCost } from './growth/resume-cost.ts';
import { subscriberCost } from './growth/subscriber-cost.ts';
import { takeMeasures } from './measures.ts';
import type { BenchOptions } from './options.ts';
import type { BenchResult } from './report/report.ts';

const FULL: GrowthSizes = { events: 50_000, tasks: 200_000, subscribers: 2_000, samples: 200 };
const QUICK: GrowthSizes = { events: 5_000, tasks: 5_000, subscribers: 200, samples: 20 };

/** The cost of holdword's operations as journals, subscribers and the number of tasks grow. */
export function growth({ quick, dataFolder, progress }: BenchOptions): Promise<BenchResult> {
  const sizes = quick ? QUICK : FULL;
  const measures = [
    ['the cost of one more event', () => eventCost(dataFolder, sizes)],
    ['the cost of resuming', () => resumeCost(dataFolder, sizes)],
    ['the cost of idle subscribers', () => subscriberCost(dataFolder, sizes)],
    ['the cost of a page of tasks', () => listPageCost(dataFolder, sizes)],
  ] as const;
  return takeMeasures('growth', measures, progress);
}
