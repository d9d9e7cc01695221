import type { JsonObject } from '@holdword/protocol';
import { z } from 'zod';
import { invalidParameter } from '../wire/hub-error.ts';

/** The metrics in one heartbeat; null for a metric that was not reported. */
export interface HeartbeatMetrics {
  readonly errors: number | null;
  readonly p95: number | null;
  readonly queue: number | null;
}

export interface Sample extends HeartbeatMetrics {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The maximum of each metric in an hour, and the number of heartbeats. */
export interface HourSummary extends HeartbeatMetrics {
  readonly hour: number;
  readonly count: number;
}

/**
 * The heartbeats of one agent: the newest in full, older ones as hourly maxima. Its size is bounded, so that storing a
 * heartbeat takes constant time.
 */
export interface HeartbeatSeries {
  /** Total number of heartbeats ever received. */
  readonly count: number;
  readonly samples: readonly Sample[];
  readonly hours: readonly HourSummary[];
  /** Times of recent heartbeats, for learning the agent's rhythm. */
  readonly beats?: readonly number[] | undefined;
  /** The cadence that the agent declared. */
  readonly declaredSeconds?: number | undefined;
  /** The expected cadence. */
  readonly cadenceSeconds: number;
  /** The last request of the agent that is not a heartbeat; not updated for each of them. */
  readonly requestAt?: number | undefined;
  /** When the agent is considered missing if it sends nothing. */
  readonly dueAt: number;
  /** When the agent is checked next; absent while it is missing. */
  readonly watchedAt?: number | undefined;
  /** Set while the agent is missing: its last sign of life, and when its absence was noticed. */
  readonly missed?: Absence | undefined;
  /** Set after the agent returned, until that is reported. */
  readonly returned?: (Absence & { readonly returnedAt: number }) | undefined;
}

export interface Absence {
  readonly lastSeenAt: number;
  readonly noticedAt: number;
}

/** The last sign of life. */
export function lastSeenAt({ samples, requestAt, dueAt }: HeartbeatSeries): number {
  const heartbeatAt = samples.at(-1)?.at;
  return heartbeatAt === undefined ? (requestAt ?? dueAt) : Math.max(heartbeatAt, requestAt ?? 0);
}

const MAX_SAMPLES = 32;
const MAX_HOURS = 48;
const HOUR = 3_600_000;

const metric = z.number().nullable();
const absence = { lastSeenAt: z.number(), noticedAt: z.number() };
// Tuples instead of objects keep the record small: it is written for every heartbeat.
const storedSchema = z.object({
  count: z.number(),
  samples: z.array(z.tuple([z.number(), metric, metric, metric])),
  hours: z.array(z.tuple([z.number(), z.number(), metric, metric, metric])),
  beats: z.array(z.number()).optional(),
  declaredSeconds: z.number().optional(),
  cadenceSeconds: z.number(),
  requestAt: z.number().optional(),
  dueAt: z.number(),
  watchedAt: z.number().optional(),
  missed: z.object(absence).optional(),
  returned: z.object({ ...absence, returnedAt: z.number() }).optional(),
});

export function encodeSeries({ samples, hours, ...rest }: HeartbeatSeries): string {
  return JSON.stringify({
    ...rest,
    samples: samples.map(({ at, errors, p95, queue }) => [at, errors, p95, queue]),
    hours: hours.map(({ hour, count, errors, p95, queue }) => [hour, count, errors, p95, queue]),
  });
}

export function decodeSeries(json: string): HeartbeatSeries {
  const { samples, hours, ...rest } = storedSchema.parse(JSON.parse(json));
  return {
    ...rest,
    samples: samples.map(([at, errors, p95, queue]) => ({ at, errors, p95, queue })),
    hours: hours.map(([hour, count, errors, p95, queue]) => ({ hour, count, errors, p95, queue })),
  };
}

/** Adds one heartbeat to the samples and hours. */
export function addSample(
  series: Pick<HeartbeatSeries, 'count' | 'samples' | 'hours'> | undefined,
  sample: Sample,
): Pick<HeartbeatSeries, 'count' | 'samples' | 'hours'> {
  const { count = 0, samples = [], hours = [] } = series ?? {};
  return {
    count: count + 1,
    samples: [...samples, sample].slice(-MAX_SAMPLES),
    hours: addToHours(hours, sample).slice(-MAX_HOURS),
  };
}

function addToHours(hours: readonly HourSummary[], { at, ...metrics }: Sample): HourSummary[] {
  const hour = at - (at % HOUR);
  const last = hours.at(-1);
  if (last?.hour !== hour) return [...hours, { hour, count: 1, ...metrics }];
  return [
    ...hours.slice(0, -1),
    {
      hour,
      count: last.count + 1,
      errors: higher(last.errors, metrics.errors),
      p95: higher(last.p95, metrics.p95),
      queue: higher(last.queue, metrics.queue),
    },
  ];
}

function higher(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.max(left, right);
}

/** JSON names of the heartbeat metrics. */
export const METRIC_FIELDS = {
  errors: 'errors_last_hour',
  p95: 'latency_ms_p95',
  queue: 'queue_depth',
} as const satisfies Readonly<Record<keyof HeartbeatMetrics, string>>;

const MAX_METRIC = 1_000_000_000;

/** Reads the metrics in a request; missing ones are null. */
export function readMetrics(params: JsonObject): HeartbeatMetrics {
  return {
    errors: readMetric(params, METRIC_FIELDS.errors),
    p95: readMetric(params, METRIC_FIELDS.p95),
    queue: readMetric(params, METRIC_FIELDS.queue),
  };
}

function readMetric(params: JsonObject, field: string): number | null {
  const value = params[field];
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && value >= 0 && value <= MAX_METRIC) return value;
  const hint = `Send ${field} as a number, or omit it.`;
  throw invalidParameter(field, `a number from 0 to ${MAX_METRIC}`, value, hint);
}

/** The reported metrics, by their JSON names. */
export function metricFields(metrics: HeartbeatMetrics): JsonObject {
  return Object.fromEntries(
    (['errors', 'p95', 'queue'] as const)
      .filter((name) => metrics[name] !== null)
      .map((name) => [METRIC_FIELDS[name], metrics[name]]),
  );
}
