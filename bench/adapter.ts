import { gatewaySpeed } from './adapter/gateway-speed.ts';
import { turnOverhead } from './adapter/turn-overhead.ts';
import { takeMeasures, type NamedMeasure } from './measures.ts';
import type { BenchOptions } from './options.ts';
import type { BenchResult } from './report/report.ts';

const SAMPLES = 300;
const QUICK_SAMPLES = 10;
const GATEWAY_SAMPLES = 30;

/** The overhead of wrapping other agents. */
export function adapter({ quick, dataFolder, progress }: BenchOptions): Promise<BenchResult> {
  const samples = quick ? QUICK_SAMPLES : SAMPLES;
  const measures: NamedMeasure[] = [
    ['the overhead of a turn over its program', () => turnOverhead(dataFolder, samples)],
    [
      'OpenClaw by its gateway and by its command line',
      () => gatewaySpeed(quick ? QUICK_SAMPLES : GATEWAY_SAMPLES),
    ],
  ];
  return takeMeasures('adapter', measures, progress);
}
