import { forSeconds, type Exchange, type LoopResult } from './load/closed-loop.ts';
import { spreadLoop } from './load/spread-loop.ts';
import type { BenchOptions } from './options.ts';
import type { RunningPeer } from './peers/running-peer.ts';
import { rateOf, type Rate } from './report/rate.ts';
import { formatNumber } from './report/table.ts';

const WARM_UP_SECONDS = 3;

/** The load on a peer. */
export interface Load {
  /** What is counted: requests, events. */
  readonly unit: string;
  readonly exchange: (url: URL) => Exchange;
}

/** One server, or several that share the connections. */
export interface Contender {
  readonly name: string;
  readonly urls: readonly URL[];
}

export function singly(peers: readonly RunningPeer[]): Contender[] {
  return peers.map(({ peer, url }) => ({ name: peer.name, urls: [url] }));
}

/** Lets every contender compile its hot code and fill its pools before anything is measured. */
export async function warmUp(
  contenders: readonly Contender[],
  options: BenchOptions,
  load: Load,
): Promise<void> {
  const seconds = options.quick ? Math.min(WARM_UP_SECONDS, options.seconds) : WARM_UP_SECONDS;
  for (const contender of contenders) await run(contender, options, load, seconds);
}

/**
 * Measures the contenders alternately, every other round in reverse order, so that slow moments of the machine and the
 * after-effects of a neighbour, such as pending disk writes, affect all of them equally. Contenders without load are idle.
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
  return spreadLoop({ urls, connections, shouldContinue: forSeconds(seconds), exchange: load.exchange });
}
