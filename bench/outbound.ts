import { takeMeasures } from './measures.ts';
import type { BenchOptions } from './options.ts';
import { callOverhead, type Samples } from './outbound/call-overhead.ts';
import type { BenchResult } from './report/report.ts';

const FULL: Samples = { warm: 2_000, cold: 50 };
const QUICK: Samples = { warm: 10, cold: 3 };

/** The overhead of the tool `remote_agent` over a call with the official client. */
export function outbound({ quick, dataFolder, progress }: BenchOptions): Promise<BenchResult> {
  const measure = () => callOverhead(dataFolder, quick ? QUICK : FULL);
  return takeMeasures('outbound', [['calls, warm and cold', measure]], progress);
}
