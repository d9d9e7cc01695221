import { median } from '../report/statistics.ts';

/** The same work on a small and on a large input; each returns the milliseconds it took. */
export interface TimedPair {
  readonly small: () => Promise<number>;
  readonly large: () => Promise<number>;
}

export interface Comparison {
  readonly small: number;
  readonly large: number;
  /** Large divided by small. */
  readonly ratio: number;
}

/** Times both alternately, so that slow moments of the machine affect both equally, and compares their medians. */
export async function compareAlternately(turns: readonly TimedPair[]): Promise<Comparison> {
  const smallTimes: number[] = [];
  const largeTimes: number[] = [];
  for (const { small, large } of turns) {
    smallTimes.push(await small());
    largeTimes.push(await large());
  }
  const medians = { small: median(smallTimes), large: median(largeTimes) };
  return { ...medians, ratio: medians.large / medians.small };
}

export function repeat(times: number, pair: TimedPair): TimedPair[] {
  return Array.from({ length: times }, () => pair);
}
