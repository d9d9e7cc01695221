import { forSeconds, type Exchange } from './load/closed-loop.ts';
import { spreadLoop } from './load/spread-loop.ts';
import type { BenchOptions } from './options.ts';
import { cpuTime } from './peers/cpu-time.ts';
import type { RunningPeer } from './peers/running-peer.ts';
import { rateOf, type Rate, type RoundResult } from './report/rate.ts';
import { formatNumber } from './report/table.ts';

const WARM_UP_SECONDS = 3;
/** With fewer, V8 still compiles while a slow disk is measured, and CPU time includes that. */
const WARM_UP_EXCHANGES = 15_000;
const MOST_WARM_UPS = 4;

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
  readonly processIds: readonly number[];
}

export function singly(peers: readonly RunningPeer[]): Contender[] {
  return peers.map(({ peer, url, processId }) => ({ name: peer.name, urls: [url], processIds: [processId] }));
}

/** Lets every contender compile its hot code and fill its pools before anything is measured. */
export async function warmUp(
  contenders: readonly Contender[],
  options: BenchOptions,
  load: Load,
): Promise<void> {
  const seconds = options.quick ? Math.min(WARM_UP_SECONDS, options.seconds) : WARM_UP_SECONDS;
  const most = options.quick ? 1 : MOST_WARM_UPS;
  for (const contender of contenders) {
    let exchanges = 0;
    for (let times = 0; times < most && exchanges < WARM_UP_EXCHANGES; times += 1) {
      exchanges += (await run(contender, options, load, seconds)).latencies.length;
    }
  }
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
  const results = new Map<string, RoundResult[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders.toReversed() : contenders) {
      const { name } = contender;
      const result = await run(contender, options, load, options.seconds);
      results.get(name)?.push(result);
      const rate = `${formatNumber(result.perSecond)} ${load.unit}/s`;
      const cost = `${formatNumber(result.cpuMicroseconds)} µs of CPU each`;
      options.progress(`round ${round} of ${options.rounds}: ${name} ${rate}, ${cost}`);
    }
  }
  return Object.fromEntries([...results].map(([name, rounds]) => [name, rateOf(rounds)]));
}

async function run(
  { urls, processIds }: Contender,
  { connections }: BenchOptions,
  { exchange }: Load,
  seconds: number,
): Promise<RoundResult> {
  const before = await cpuTimeOfAll(processIds);
  const result = await spreadLoop({ urls, connections, shouldContinue: forSeconds(seconds), exchange });
  const cpuMilliseconds = (await cpuTimeOfAll(processIds)) - before;
  return { ...result, cpuMicroseconds: (cpuMilliseconds / result.latencies.length) * 1000 };
}

async function cpuTimeOfAll(processIds: readonly number[]): Promise<number> {
  const times = await Promise.all(processIds.map(cpuTime));
  return times.reduce((sum, time) => sum + time, 0);
}
