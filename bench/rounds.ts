import { closedLoop, forSeconds, type Exchange, type LoopResult } from './load/closed-loop.ts';
import type { BenchOptions } from './options.ts';
import type { RunningPeer } from './peers/running-peer.ts';
import { rateOf, type Rate } from './report/rate.ts';
import { formatNumber } from './report/table.ts';

const WARM_UP_SECONDS = 2;

/** What the load on a peer is made of. */
export interface Load {
  /** What is counted: requests, events. */
  readonly unit: string;
  exchange(url: URL): Exchange;
}

/** Gives every peer time to compile its hot code and grow its pools before anything is measured. */
export async function warmUp(
  peers: readonly RunningPeer[],
  options: BenchOptions,
  load: Load,
): Promise<void> {
  for (const peer of peers) await run(peer, options, load, Math.min(WARM_UP_SECONDS, options.seconds));
}

/**
 * Measures the peers in turn, round after round, so that a slow moment of the machine hits all alike. Peers that are not
 * under load cost nothing meanwhile.
 */
export async function measureRates(
  peers: readonly RunningPeer[],
  options: BenchOptions,
  load: Load,
): Promise<Record<string, Rate>> {
  const results = new Map<string, LoopResult[]>(peers.map(({ peer }) => [peer.name, []]));
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const running of peers) {
      const { name } = running.peer;
      const result = await run(running, options, load, options.seconds);
      results.get(name)?.push(result);
      const rate = `${formatNumber(result.perSecond)} ${load.unit}/s`;
      options.progress(`round ${round} of ${options.rounds}: ${name} ${rate}`);
    }
  }
  return Object.fromEntries([...results].map(([name, rounds]) => [name, rateOf(rounds)]));
}

function run({ url }: RunningPeer, options: BenchOptions, load: Load, seconds: number): Promise<LoopResult> {
  const { connections } = options;
  return closedLoop({ url, connections, goOn: forSeconds(seconds), exchange: load.exchange(url) });
}
