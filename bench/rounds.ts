import type { LoopResult } from './load/closed-loop.ts';
import type { BenchOptions } from './options.ts';
import type { Peer } from './peers/peer.ts';
import { startPeer, type RunningPeer } from './peers/running-peer.ts';
import { rateOf, type Rate } from './report/rate.ts';
import { formatNumber } from './report/table.ts';

const WARM_UP_SECONDS = 2;

/** Runs `use` with all peers started, and stops them whatever happens. */
export async function withPeers<Result>(
  peers: readonly Peer[],
  dataFolder: string,
  use: (running: readonly RunningPeer[]) => Promise<Result>,
): Promise<Result> {
  const running: RunningPeer[] = [];
  try {
    for (const peer of peers) running.push(await startPeer(peer, dataFolder));
    return await use(running);
  } finally {
    await Promise.all(running.map((peer) => peer.stop()));
  }
}

export type Load = (peer: RunningPeer, seconds: number) => Promise<LoopResult>;

/** Gives every peer time to compile its hot code and grow its pools before anything is measured. */
export async function warmUp(
  peers: readonly RunningPeer[],
  options: BenchOptions,
  load: Load,
): Promise<void> {
  for (const peer of peers) await load(peer, Math.min(WARM_UP_SECONDS, options.seconds));
}

/**
 * Measures the peers in turn, round after round, so that a slow moment of the machine hits all alike. Peers that are not
 * under load cost nothing meanwhile.
 */
export async function measureRates(
  peers: readonly RunningPeer[],
  options: BenchOptions,
  unit: string,
  load: Load,
): Promise<Record<string, Rate>> {
  const results = new Map<string, LoopResult[]>(peers.map(({ peer }) => [peer.name, []]));
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const running of peers) {
      const { name } = running.peer;
      const result = await load(running, options.seconds);
      results.get(name)?.push(result);
      options.progress(
        `round ${round} of ${options.rounds}: ${name} ${formatNumber(result.perSecond)} ${unit}/s`,
      );
    }
  }
  return Object.fromEntries([...results].map(([name, rounds]) => [name, rateOf(rounds)]));
}
