import { turnOverhead } from './adapter/turn-overhead.ts';
import { takeMeasures, type NamedMeasure } from './measures.ts';
import type { BenchOptions } from './options.ts';
import type { BenchResult } from './report/report.ts';

const SAMPLES = 300;
const QUICK_SAMPLES = 10;

/** What wrapping other agents costs. */
export function adapter({ quick, dataFolder, progress }: BenchOptions): Promise<BenchResult> {
  const samples = quick ? QUICK_SAMPLES : SAMPLES;
  const measures: NamedMeasure[] = [
    ['the overhead of a turn over its program', () => turnOverhead(dataFolder, samples)],
  ];
  return takeMeasures('adapter', measures, progress);
}
