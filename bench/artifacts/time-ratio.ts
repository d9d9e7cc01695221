import { median } from '../report/statistics.ts';

export interface TimedRatio {
  readonly milliseconds: number;
  readonly stringifyMilliseconds: number;
  /** The time of the work divided by that of `JSON.stringify`. */
  readonly ratio: number;
}

/** Times the work and `JSON.stringify` of the same value alternately, and compares their medians. */
export function timeRatio(rounds: number, value: unknown, work: () => unknown): TimedRatio {
  const workTimes: number[] = [];
  const stringifyTimes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    stringifyTimes.push(timeOf(() => JSON.stringify(value)));
    workTimes.push(timeOf(work));
  }
  const milliseconds = median(workTimes);
  const stringifyMilliseconds = median(stringifyTimes);
  return { milliseconds, stringifyMilliseconds, ratio: milliseconds / stringifyMilliseconds };
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
