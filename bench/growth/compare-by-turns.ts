import { median } from '../report/statistics.ts';

export interface Comparison {
  readonly small: number;
  readonly large: number;
  /** The large one over the small one. */
  readonly ratio: number;
}

/** Times the two by turns, so that a slow moment of the machine hits both alike, and compares their medians (ms). */
export async function compareByTurns(
  samples: number,
  small: () => Promise<number>,
  large: () => Promise<number>,
): Promise<Comparison> {
  const smallTimes: number[] = [];
  const largeTimes: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    smallTimes.push(await small());
    largeTimes.push(await large());
  }
  const medians = { small: median(smallTimes), large: median(largeTimes) };
  return { ...medians, ratio: medians.large / medians.small };
}
