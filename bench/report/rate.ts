import { median, percentile, spread } from './statistics.ts';

/** One round of load on one peer. */
export interface RoundResult {
  readonly perSecond: number;
  /** Milliseconds of each exchange, ascending. */
  readonly latencies: ArrayLike<number>;
}

/** The results of all rounds of a peer. */
export type Rate = {
  readonly perSecond: number;
  /** The rate of each round. */
  readonly perRound: readonly number[];
  /** The range of the rates of all rounds, divided by their median. */
  readonly spread: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
};

/** Every figure is the median over the rounds. */
export function rateOf(rounds: readonly RoundResult[]): Rate {
  const rates = rounds.map((round) => round.perSecond);
  return {
    perSecond: median(rates),
    perRound: rates,
    spread: spread(rates),
    p50Milliseconds: median(rounds.map((round) => percentile(round.latencies, 0.5))),
    p99Milliseconds: median(rounds.map((round) => percentile(round.latencies, 0.99))),
  };
}

/**
 * How many times faster `ours` is than each of the others: the median of the ratios of the rounds. The peers of a round run
 * under the same conditions, those of different rounds do not.
 */
export function ratiosOver(rates: Readonly<Record<string, Rate>>, ours: string): Record<string, number> {
  const own = rates[ours]?.perRound;
  if (own === undefined) return {};
  const others = Object.entries(rates).filter(([name]) => name !== ours);
  return Object.fromEntries(
    others.map(([name, { perRound }]) => [
      name,
      median(perRound.map((rate, round) => (own[round] ?? Number.NaN) / rate)),
    ]),
  );
}
