import { isoTime } from '../wire/times.ts';
import type { Symptom } from '../incidents/incident-kind.ts';
import type { HeartbeatMetrics, HeartbeatSeries, Sample } from './heartbeat-series.ts';

/** Older heartbeats say nothing about the current state. */
const FRESH_MILLISECONDS = 2 * 3_600_000;

/** The symptoms in an agent's last heartbeat, with its time; empty if that is too long ago. */
export function freshSymptoms(series: HeartbeatSeries | undefined, now: number): Symptom[] {
  const newest = series?.samples.at(-1);
  if (series === undefined || newest === undefined || now - newest.at > FRESH_MILLISECONDS) return [];
  const when = isoTime(newest.at);
  return readSymptoms(series.samples).map(({ metric, text }) => ({
    metric,
    text: `your heartbeat at ${when} reported ${text}`,
  }));
}

/** At `high` or above, a metric is a symptom on its own; below `floor`, a deviation from the usual value is ignored. */
const METRICS = {
  errors: { title: 'errors in the last hour', high: 10, floor: 3 },
  p95: { title: 'latency (p95, ms)', high: 10_000, floor: 1_000 },
  queue: { title: 'queue depth', high: 100, floor: 10 },
} as const satisfies Readonly<Record<keyof HeartbeatMetrics, { title: string; high: number; floor: number }>>;

const TIMES_USUAL = 2;
const MIN_HISTORY = 4;

/** Compares the newest heartbeat with fixed thresholds and with the agent's usual values. */
export function readSymptoms(samples: readonly Sample[]): Symptom[] {
  return (['errors', 'p95', 'queue'] as const).flatMap((metric) => {
    const text = symptomText(metric, samples);
    return text === undefined ? [] : [{ metric, text }];
  });
}

function symptomText(metric: keyof HeartbeatMetrics, samples: readonly Sample[]): string | undefined {
  const { title, high, floor } = METRICS[metric];
  const value = samples.at(-1)?.[metric] ?? null;
  if (value === null) return undefined;
  if (value >= high) return `${title}: ${value}, which is high`;
  const earlier = samples
    .slice(0, -1)
    .map((sample) => sample[metric])
    .filter((each) => each !== null);
  if (earlier.length < MIN_HISTORY || value < floor) return undefined;
  const usual = median(earlier);
  return value > usual * TIMES_USUAL ? `${title}: ${value}, usually about ${usual}` : undefined;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
