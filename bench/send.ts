import { echoExchange } from './load/exchanges.ts';
import type { BenchOptions } from './options.ts';
import { HOLDWORD, PEERS, SDK_MEMORY, SDK_SQLITE } from './peers/peer.ts';
import { startPeers } from './peers/running-peer.ts';
import { cpuRatios, ratiosOver } from './report/rate.ts';
import { formatRates } from './report/rate-table.ts';
import type { BenchResult } from './report/report.ts';
import { atLeast, atMost } from './report/target.ts';
import { measureRates, singly, warmUp, type Load } from './rounds.ts';

const LOAD: Load = { unit: 'requests', exchange: echoExchange };

/** Blocking sends of an echo task with one artifact. */
export async function send(options: BenchOptions): Promise<BenchResult> {
  await using peersHere = await startPeers(PEERS, options.dataFolder);
  const contenders = singly(peersHere.running);
  await warmUp(contenders, options, LOAD);
  const peers = await measureRates(contenders, options, LOAD);
  const ratios = ratiosOver(peers, HOLDWORD.name);
  const cpu = cpuRatios(peers, HOLDWORD.name);
  const targets = [
    atLeast('sends/s over the SDK in memory', 3, ratios[SDK_MEMORY.name]),
    atLeast('sends/s over the SDK on SQLite', 10, ratios[SDK_SQLITE.name]),
    atMost('CPU time of a send over the SDK in memory', 0.4, cpu[SDK_MEMORY.name]),
  ];
  const table = formatRates('blocking send of an echo task', LOAD.unit, PEERS, peers, ratios);
  return { report: { bench: 'send', peers, ratios, targets }, tables: [table] };
}
