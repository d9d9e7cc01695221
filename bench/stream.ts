import { countExchange } from './load/exchanges.ts';
import type { BenchOptions } from './options.ts';
import { HOLDWORD, PEERS, SDK_MEMORY } from './peers/peer.ts';
import { startPeers } from './peers/running-peer.ts';
import { ratiosOver, type Rate } from './report/rate.ts';
import { formatRates } from './report/rate-table.ts';
import type { BenchResult } from './report/report.ts';
import { atLeast, type Target } from './report/target.ts';
import { withSuffix } from './report/with-suffix.ts';
import { measureRates, singly, warmUp, type Load } from './rounds.ts';

const SHORT = 100;
const LENGTHS = [
  { chunks: SHORT, timesSdkInMemory: 5 },
  { chunks: 1_000, timesSdkInMemory: 10 },
];

/** Streams of one artifact in chunks, short and long ones. */
export async function stream(options: BenchOptions): Promise<BenchResult> {
  await using peersHere = await startPeers(PEERS, options.dataFolder);
  const contenders = singly(peersHere.running);
  const peers: Record<string, Rate> = {};
  const ratios: Record<string, number> = {};
  const targets: Target[] = [];
  const tables: string[] = [];
  await warmUp(contenders, options, countLoad(SHORT));
  for (const { chunks, timesSdkInMemory } of LENGTHS) {
    const name = `streams of ${chunks} chunks`;
    options.progress(name);
    const load = countLoad(chunks);
    const rates = await measureRates(contenders, options, load);
    const ratiosHere = ratiosOver(rates, HOLDWORD.name);
    Object.assign(peers, withSuffix(rates, chunks));
    Object.assign(ratios, withSuffix(ratiosHere, chunks));
    const measured = ratiosHere[SDK_MEMORY.name];
    targets.push(atLeast(`events/s over the SDK in memory, ${name}`, timesSdkInMemory, measured));
    tables.push(formatRates(name, load.unit, PEERS, rates, ratiosHere));
  }
  return { report: { bench: 'stream', peers, ratios, targets }, tables };
}

function countLoad(chunks: number): Load {
  return { unit: 'events', exchange: (url) => countExchange(url, chunks) };
}
