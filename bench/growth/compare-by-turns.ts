import { median } from '../report/statistics.ts';

/** The same work on a small thing and on a large one; each gives the milliseconds it took. */
export interface TimedPair {
  readonly small: () => Promise<number>;
  readonly large: () => Promise<number>;
}

export interface Comparison {
  readonly small: number;
  readonly large: number;
  /** The large one over the small one. */
  readonly ratio: number;
}

/** Times the two by turns, so that a slow moment of the machine hits both alike, and compares their medians. */
export async function compareByTurns(turns: readonly TimedPair[]): Promise<Comparison> {
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
