import { forSeconds, type Exchange, type LoopResult } from './load/closed-loop.ts';
import { spreadLoop } from './load/spread-loop.ts';
import type { BenchOptions } from './options.ts';
import type { RunningPeer } from './peers/running-peer.ts';
import { rateOf, type Rate } from './report/rate.ts';
import { formatNumber } from './report/table.ts';

const WARM_UP_SECONDS = 3;

/** What the load on a peer is made of. */
export interface Load {
  /** What is counted: requests, events. */
  readonly unit: string;
  readonly exchange: (url: URL) => Exchange;
}

/** What is under load together: one server, or several that share the connections. */
export interface Contender {
  readonly name: string;
  readonly urls: readonly URL[];
}

export function singly(peers: readonly RunningPeer[]): Contender[] {
  return peers.map(({ peer, url }) => ({ name: peer.name, urls: [url] }));
}

/** Gives every contender time to compile its hot code and grow its pools before anything is measured. */
export async function warmUp(
  contenders: readonly Contender[],
  options: BenchOptions,
  load: Load,
): Promise<void> {
  const seconds = options.quick ? Math.min(WARM_UP_SECONDS, options.seconds) : WARM_UP_SECONDS;
  for (const contender of contenders) await run(contender, options, load, seconds);
}

/**
 * Measures the contenders in turn, round after round and every other round backwards, so that a slow moment of the machine
 * and the traces of a neighbour, such as what it left the disk to write, hit all alike. Those that are not under load cost
 * nothing meanwhile.
 */
export async function measureRates(
  contenders: readonly Contender[],
  options: BenchOptions,
  load: Load,
): Promise<Record<string, Rate>> {
  const results = new Map<string, LoopResult[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders.toReversed() : contenders) {
      const { name } = contender;
      const result = await run(contender, options, load, options.seconds);
      results.get(name)?.push(result);
      const rate = `${formatNumber(result.perSecond)} ${load.unit}/s`;
      options.progress(`round ${round} of ${options.rounds}: ${name} ${rate}`);
    }
  }
  return Object.fromEntries([...results].map(([name, rounds]) => [name, rateOf(rounds)]));
}

function run({ urls }: Contender, options: BenchOptions, load: Load, seconds: number): Promise<LoopResult> {
  const { connections } = options;
  return spreadLoop({ urls, connections, goOn: forSeconds(seconds), exchange: load.exchange });
}
