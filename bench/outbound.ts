import { takeMeasures, type NamedMeasure } from './measures.ts';
import type { BenchOptions } from './options.ts';
import { coldOverhead, warmOverhead } from './outbound/call-overhead.ts';
import type { BenchResult } from './report/report.ts';

const WARM_SAMPLES = 2_000;
const COLD_SAMPLES = 100;
const QUICK_SAMPLES = 10;

/** What the tool `remote_agent` costs beyond a call by the official client. */
export function outbound({ quick, dataFolder, progress }: BenchOptions): Promise<BenchResult> {
  const measures: NamedMeasure[] = [
    ['warm calls', () => warmOverhead(dataFolder, quick ? QUICK_SAMPLES : WARM_SAMPLES)],
    ['cold calls', () => coldOverhead(dataFolder, quick ? QUICK_SAMPLES : COLD_SAMPLES)],
  ];
  return takeMeasures('outbound', measures, progress);
}
