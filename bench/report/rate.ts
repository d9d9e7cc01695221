import { median, percentile, spread } from './statistics.ts';

/** One round of load on one peer. */
export interface RoundResult {
  readonly perSecond: number;
  /** Milliseconds of each exchange, ascending. */
  readonly latencies: ArrayLike<number>;
  /** CPU time of one exchange on all threads of the peer; NaN if the system does not provide it. */
  readonly cpuMicroseconds: number;
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
  /** CPU time of one exchange on all threads of the peer; NaN if the system does not provide it. */
  readonly cpuMicroseconds: number;
  /** The CPU time of each round. */
  readonly cpuPerRound: readonly number[];
};

/** Every figure is the median over the rounds. */
export function rateOf(rounds: readonly RoundResult[]): Rate {
  const rates = rounds.map((round) => round.perSecond);
  const costs = rounds.map((round) => round.cpuMicroseconds);
  return {
    perSecond: median(rates),
    perRound: rates,
    spread: spread(rates),
    p50Milliseconds: median(rounds.map((round) => percentile(round.latencies, 0.5))),
    p99Milliseconds: median(rounds.map((round) => percentile(round.latencies, 0.99))),
    cpuMicroseconds: median(costs),
    cpuPerRound: costs,
  };
}

/**
 * How many times faster `ours` is than each of the others: the median of the ratios of the rounds. The peers of a round run
 * under the same conditions, those of different rounds do not.
 */
export function ratiosOver(rates: Readonly<Record<string, Rate>>, ours: string): Record<string, number> {
  return compare(rates, ours, ({ perRound }) => perRound);
}

/** The CPU time of our exchange divided by that of each of the others. Hardly depends on other load on the machine. */
export function cpuRatios(rates: Readonly<Record<string, Rate>>, ours: string): Record<string, number> {
  return compare(rates, ours, ({ cpuPerRound }) => cpuPerRound);
}

function compare(
  rates: Readonly<Record<string, Rate>>,
  ours: string,
  figures: (rate: Rate) => readonly number[],
): Record<string, number> {
  const own = rates[ours];
  if (own === undefined) return {};
  const ownFigures = figures(own);
  const others = Object.entries(rates).filter(([name]) => name !== ours);
  return Object.fromEntries(
    others.map(([name, rate]) => [
      name,
      median(figures(rate).map((figure, round) => (ownFigures[round] ?? Number.NaN) / figure)),
    ]),
  );
}
