import type { Sign } from '../incidents/sign.ts';
import type { Figures, Sample } from './heartbeat-series.ts';

/** From `high` on a figure shows trouble by itself; below `floor` a multiple of the usual says nothing. */
const FIGURES = {
  errors: { title: 'errors in the last hour', high: 10, floor: 3 },
  p95: { title: 'latency (p95, ms)', high: 10_000, floor: 1_000 },
  queue: { title: 'queue depth', high: 100, floor: 10 },
} as const satisfies Readonly<Record<keyof Figures, { title: string; high: number; floor: number }>>;

const TIMES_USUAL = 2;
const ENOUGH_PAST = 4;

/** Measures the newest heartbeat of an agent by what is high for anybody, and by what was usual for this one. */
export function readSigns(samples: readonly Sample[]): Sign[] {
  return (['errors', 'p95', 'queue'] as const).flatMap((figure) => {
    const text = signText(figure, samples);
    return text === undefined ? [] : [{ figure, text }];
  });
}

function signText(figure: keyof Figures, samples: readonly Sample[]): string | undefined {
  const { title, high, floor } = FIGURES[figure];
  const value = samples.at(-1)?.[figure] ?? null;
  if (value === null) return undefined;
  if (value >= high) return `${title}: ${value}, which is high`;
  const earlier = samples
    .slice(0, -1)
    .map((sample) => sample[figure])
    .filter((each) => each !== null);
  if (earlier.length < ENOUGH_PAST || value < floor) return undefined;
  const usual = median(earlier);
  return value > usual * TIMES_USUAL ? `${title}: ${value}, usually about ${usual}` : undefined;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
