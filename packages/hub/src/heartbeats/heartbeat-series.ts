import { z } from 'zod';

/** What an agent says of itself in one heartbeat; a figure it does not have is null. */
export interface HeartbeatMetrics {
  readonly errors: number | null;
  readonly p95: number | null;
  readonly queue: number | null;
}

export interface Sample extends HeartbeatMetrics {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The highest figures of an hour, and how many heartbeats it had. */
export interface HourSummary extends HeartbeatMetrics {
  readonly hour: number;
  readonly count: number;
}

/**
 * The heartbeats of one agent: the newest as they came, older ones as the highest of their hour. It has a greatest size,
 * so that a heartbeat costs the same however many came before it.
 */
export interface HeartbeatSeries {
  /** All heartbeats that ever came. */
  readonly count: number;
  readonly samples: readonly Sample[];
  readonly hours: readonly HourSummary[];
  readonly cadenceSeconds: number;
  /** When the agent is missed if no heartbeat comes. */
  readonly dueAt: number;
  /** When the watch looks at the agent next; absent while it is missed. */
  readonly watchedAt?: number | undefined;
  /** The agent was due and did not come: its last sign, and when that was noticed. */
  readonly missed?: { readonly lastSeenAt: number; readonly noticedAt: number } | undefined;
}

const MAX_SAMPLES = 32;
const MAX_HOURS = 48;
const HOUR = 3_600_000;

const metric = z.number().nullable();
// Lists instead of names: the record is written for every heartbeat.
const storedSchema = z.object({
  count: z.number(),
  samples: z.array(z.tuple([z.number(), metric, metric, metric])),
  hours: z.array(z.tuple([z.number(), z.number(), metric, metric, metric])),
  cadenceSeconds: z.number(),
  dueAt: z.number(),
  watchedAt: z.number().optional(),
  missed: z.object({ lastSeenAt: z.number(), noticedAt: z.number() }).optional(),
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

/** The samples and hours with one more heartbeat. */
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
